// Says the times of the server's page in the reader's zone. It stands at the end of the page and runs before the page is
// painted, so that nothing moves; parts of a page that come later are put through it as well. A time keeps its title: UTC.
function localTimes(part) {
  const form = (options) => new Intl.DateTimeFormat('en-GB', { hourCycle: 'h23', ...options });
  const [clock, date] = [{ hour: '2-digit', minute: '2-digit' }, { day: 'numeric', month: 'long' }];
  const timeOfDay = form(clock);
  const toTheSecond = form({ ...clock, second: '2-digit' });
  const dayAndMonth = form(date);
  const withYear = form({ ...date, year: 'numeric' });
  const withWeekday = form({ ...date, weekday: 'long' });
  const zone = timeOfDay.resolvedOptions().timeZone;
  const now = new Date();
  const dayOf = (at) => Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / 864e5;

  // As the server says it, which is seen from what it said: see `moments.rs`.
  const words = (at, said) => {
    const time = timeOfDay.format(at);
    if (/^..:.. UTC$/.test(said)) return time;
    if (/^..:..:.. UTC$/.test(said)) return toTheSecond.format(at);
    const name = { '-1': 'yesterday', 0: 'today', 1: 'tomorrow' }[dayOf(at) - dayOf(now)];
    if (/day \d/.test(said) && name !== 'today') return [name, withWeekday.format(at), time].filter(Boolean).join(', ');
    if (name) return `${time} ${name}`;
    const day = (at.getFullYear() === now.getFullYear() ? dayAndMonth : withYear).format(at);
    return said.includes(':') ? `${day}, ${time}` : day;
  };

  // Beside what evidence says in UTC.
  const beside = (at) => {
    const otherDay = at.getUTCDate() === at.getDate() ? {} : date;
    const place = zone.startsWith('Etc/') ? 'your zone' : zone.split('/').at(-1).replaceAll('_', ' ');
    return ` (${form({ ...otherDay, ...clock, second: '2-digit' }).format(at)} in ${place})`;
  };

  for (const time of part.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime);
    if ('exact' in time.dataset) {
      if (!/^(Etc\/)?(UTC|GMT)$/.test(zone)) time.after(beside(at));
      continue;
    }
    const said = time.textContent;
    const says = words(at, said);
    time.textContent = says;
    // What is read aloud in its place says the same.
    const labelled = time.closest('[aria-label]');
    labelled?.setAttribute('aria-label', labelled.getAttribute('aria-label').replace(said, says));
  }
}
localTimes(document);
