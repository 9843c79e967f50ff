// Says the times of the server's page in the reader's zone. It stands at the end of the page and runs before the page is
// painted, so that nothing moves; parts of a page that come later are put through it as well. A time keeps its title: UTC.
function localTimes(part) {
  const now = new Date();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const words = (at, options) => at.toLocaleString('en-GB', { hourCycle: 'h23', ...options });
  const clock = { hour: '2-digit', minute: '2-digit' };
  const day = (at) => Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / 864e5;
  for (const time of part.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime);
    if (isNaN(at)) continue;
    if ('exact' in time.dataset) {
      // Evidence keeps UTC; the reader's time stands beside it.
      if (at.getTimezoneOffset() === 0 && /^(Etc\/)?(UTC|UCT|GMT)?$/.test(zone)) continue;
      const otherDay = at.getUTCDate() === at.getDate() ? {} : { day: 'numeric', month: 'long' };
      const place = zone.startsWith('Etc/') ? 'your zone' : zone.split('/').at(-1).replaceAll('_', ' ');
      time.after(` (${words(at, { ...otherDay, ...clock, second: '2-digit' })} in ${place})`);
      continue;
    }
    const said = time.textContent;
    const name = { '-1': 'yesterday', 0: 'today', 1: 'tomorrow' }[day(at) - day(now)];
    const date = { day: 'numeric', month: 'long' };
    if (at.getFullYear() !== now.getFullYear()) date.year = 'numeric';
    const timeOfDay = words(at, clock);
    let says = name ? `${timeOfDay} ${name}` : words(at, date);
    if (!name && said.includes(':')) says += `, ${timeOfDay}`;
    // The day is said beside it.
    if (/^..:.. UTC$/.test(said)) says = timeOfDay;
    time.textContent = says;
    // What is read aloud in its place says the same.
    const labelled = time.closest('[aria-label]');
    labelled?.setAttribute('aria-label', labelled.getAttribute('aria-label').replace(said, says));
  }
}
localTimes(document);
