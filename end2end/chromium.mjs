// How Chromium is started, for the tests and the screenshots alike: the system's own, never a downloaded one.

/** Where the service under test listens. */
export const baseURL = process.env.CROSSVAT_URL ?? 'http://127.0.0.1:8080';

/** Which browser, and the switches that keep it from talking to anybody but the service. */
export const launchOptions = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};
