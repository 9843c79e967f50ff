// Support staff come in: from the command line to a second factor, and from then on with its codes. Members are offered the
// same.

import { expect, test } from './fixtures';
import { PASSWORD, Person } from './portal';
import { AuthenticatorApp, HOME, Support } from './support';

// Chromium notes every page that is answered with 422: a form with something to change.
test.use({ expectedInConsole: /status of 422/ });

test('a support person sets up a second factor and signs in with it', async ({ page }) => {
  const sam = new Support();
  sam.create();
  await page.goto('/staff/team');
  await expect(page).toHaveURL(/\/staff\/sign-in\?return_to=/);
  await sam.typePassword(page, 'not the password at all');
  await expect(page.getByRole('alert')).toContainText('do not belong together');
  await sam.typePassword(page);

  // Nothing else is open.
  await page.goto('/staff/security');
  await expect(page).toHaveURL(/\/staff\/second-factor\?return_to=/);
  await page.getByLabel('Code from your app').fill('000000');
  await page.getByRole('button', { name: 'Set it up' }).click();
  await expect(page).toHaveTitle(/^Error: /);
  await expect(page.locator('.error-summary')).toBeFocused();
  const codes = await sam.setUp(page);
  expect(new Set(codes).size).toBe(10);
  await page.getByLabel('I have put the recovery codes where I will find them again').check();
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(page).toHaveURL(/^[^?]*\/staff\/security/);
  await expect(page.getByText('10 of 10 recovery codes are left')).toBeVisible();

  await page.locator('.person-menu summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/staff/sign-in');
  await sam.typePassword(page);
  await expect(page).toHaveURL('/staff/sign-in/code');
  await page.getByLabel('Code', { exact: true }).fill(sam.app!.code());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(HOME);
  await page.goto('/staff/team');
  await expect(page.getByRole('row', { name: new RegExp(sam.email) })).toContainText('Active');

  // Without the telephone.
  await page.locator('.person-menu summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await sam.typePassword(page);
  await page.getByLabel('Code', { exact: true }).fill(codes[4]!.toUpperCase());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.goto('/staff/security');
  await expect(page.getByText('9 of 10 recovery codes are left')).toBeVisible();
});

test('a support person invites another, who joins, and ends their access', async ({ page, elsewhere }) => {
  const sam = new Support();
  await sam.enter(page);
  const kim = new Support();
  await page.goto('/staff/team');
  await page.getByLabel('Work email address').fill(kim.email);
  await page.getByLabel('Name', { exact: true }).fill('Kim Lund');
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await expect(page.getByText('The invitation is on its way.')).toBeVisible();

  const theirs = await elsewhere();
  await theirs.goto(await Person.linkTo(kim.email, 'join-staff'));
  await theirs.getByLabel('New password').fill(PASSWORD);
  await theirs.getByRole('button', { name: 'Keep this password' }).click();
  await expect(theirs.getByText('Your password is kept.')).toBeVisible();
  await theirs.getByLabel('Password').fill(PASSWORD);
  await theirs.getByRole('button', { name: 'Sign in' }).click();
  await kim.setUp(theirs);
  await theirs.goto('/staff/team');
  await expect(theirs).toHaveURL('/staff/team');

  await page.goto('/staff/team');
  await page.getByRole('row', { name: new RegExp(kim.email) }).getByRole('link', { name: 'Change Kim Lund' }).click();
  await page.getByRole('link', { name: 'End the access of Kim Lund' }).click();
  await page.getByLabel('Type their name').fill('Kim Lund');
  await page.getByLabel('Why').fill('Has left the company.');
  await page.getByRole('button', { name: 'End their access' }).click();
  await expect(page.getByText('Their access has ended')).toBeVisible();
  await theirs.goto('/staff/team');
  await expect(theirs).toHaveURL(/\/staff\/sign-in/);
  await theirs.context().close();
});

test('a member sets up a second factor, signs in with it and turns it off', async ({ page }) => {
  const person = new Person();
  await person.enter(page);
  await page.goto('/portal/settings');
  await page.getByRole('link', { name: 'Set it up' }).click();
  const app = await AuthenticatorApp.reading(page);
  const code = app.code();
  await page.getByLabel('Code from your app').fill(code);
  await page.getByRole('button', { name: 'Set it up' }).click();
  await expect(page.getByRole('link', { name: 'Type the password with which you signed in' })).toBeVisible();
  // It is not used up before the password is right.
  await page.getByLabel('Code from your app').fill(code);
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set it up' }).click();
  await expect(page.locator('.recovery-codes li')).toHaveCount(10);
  const codes = await page.locator('.recovery-codes li').allInnerTexts();
  await page.getByLabel('I have put the recovery codes where I will find them again').check();
  await page.getByRole('button', { name: 'Back to the settings' }).click();
  await expect(page.locator('#second-factor')).toContainText('10 of 10 recovery codes are left');

  await page.locator('.person-menu summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await person.signIn(page);
  await expect(page).toHaveURL('/sign-in/code');
  await page.getByLabel('Code', { exact: true }).fill(app.code());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/portal');

  await page.goto('/portal/settings');
  await page.getByLabel('Code of your own second factor').fill(codes[0]!);
  await page.getByRole('button', { name: 'Demand it of every member' }).click();
  await expect(page.getByText('Every member needs a second factor now.')).toBeVisible();
  await page.getByLabel('Code of your own second factor').fill(codes[1]!);
  await page.getByRole('button', { name: 'Leave it to each member' }).click();
  await expect(page.getByText('Each member chooses now')).toBeVisible();
  await page.getByLabel('Code from your app').fill(codes[2]!);
  await page.getByRole('button', { name: 'Turn it off' }).click();
  await expect(page.getByText('Your second factor is off')).toBeVisible();
});
