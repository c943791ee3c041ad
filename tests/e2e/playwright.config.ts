import { defineConfig } from '@playwright/test';
import { environment, SITE_ORIGIN, WORKERS } from './support/environment.js';

export default defineConfig({
  testDir: './journeys',
  outputDir: './test-results',
  // One after the other on each site and platform: journeys stop and pause the servers.
  workers: WORKERS,
  retries: 0,
  forbidOnly: true,
  reporter: [['list']],
  // Limits for what never comes; a busy machine is not a failure.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    browserName: 'chromium',
    baseURL: SITE_ORIGIN,
    viewport: { width: 1280, height: 800 },
    colorScheme: 'dark',
    screenshot: 'only-on-failure',
    // Most journeys are about the page as its server gives it; those about the worker allow it.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: environment.SIFTWREN_CHROMIUM,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
