// How Chromium is started, for the tests and the screenshots alike: the system's own, never a downloaded one.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where the service under test listens. */
export const baseURL = process.env.CROSSVAT_URL ?? 'http://127.0.0.1:8080';

/** The one that `CHROMIUM` names, or the first on the `PATH`. */
function chromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    const found = folders.map((folder) => join(folder, name)).find((file) => isProgram(file));
    if (found) return found;
  }
  throw new Error('there is no Chromium on the PATH; the variable CHROMIUM can name one');
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Which browser, and the switches that keep it from talking to anybody but the service. */
export const launchOptions = {
  executablePath: chromium(),
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
