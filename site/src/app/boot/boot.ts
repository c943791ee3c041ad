/**
 * The script of every page. It runs when the page has been read and shown; what must be right in the first paint is in
 * `first.ts`, which imports it. Everything else waits for an event, most of it in `later.ts`.
 *
 * What differs between pages and sites stands in the attributes of the first script's element.
 */
import { dismiss } from '../../features/announcement/dismissal';
import { toggleTheme } from '../../features/theme/themeChoice';
import { connectionOf } from '../../shared/lib/connection';
import { loadOnce } from '../../shared/lib/loadOnce';
import { PATIENCE_MS } from '../../shared/lib/patience';
import { whenIdle } from '../../shared/lib/whenIdle';
import type { Application } from '../client';
import { reloadIfReplaced } from '../replacedBuild';
import { createApplicationLoader } from './application';
import { FAILURES, type Failures } from './failures';
import type { Later } from './later';
import { selectedText } from './selectedText';
import type { Settings } from './settings';
import { addLink, createSheet } from './sheet';
import { isSearchShortcut } from './shortcuts';
import { showToast } from './toast';

const root = document.documentElement;
let isPresent = false;
let drawer: Later | null = null;
const settings: Settings = (document.querySelector('[data-boot]') as HTMLElement).dataset;

/** What the bundler knows: files below the site's folder. */
declare const BOOT_FILES: { app: string; later: string; lateSheet: string; sheet: string };
const base = settings.base ?? '/';
// Once: each mention is replaced by the whole of it.
const files = BOOT_FILES;
const lateSheet = createSheet(document, base + files.lateSheet);
const wholeSheet = createSheet(document, base + files.sheet);
const laterScript = createScript(files.later);
const applicationScript = createScript(files.app);
const getLater = loadOnce(startLater);

root.dataset.js = 'on';

export interface Boot {
  press: typeof press;
}

/**
 * What was pressed before this script was there is pressed again. A button does nothing by itself, and neither does a key that is not
 * the reader's: nothing else happens twice.
 */
export function press(pressed: readonly Partial<KeyboardEvent>[]): void {
  for (const event of pressed) {
    const target = event.target as Element;
    if (event.key || target.closest('button')) target.dispatchEvent(event as Event);
  }
}

const application = createApplicationLoader(loadApplication, document, {
  waiting(isWaiting) {
    for (const button of document.querySelectorAll('[data-search]')) {
      button.ariaBusy = String(isWaiting);
    }
  },
  failed(error, what) {
    console.error(error);
    void reloadIfReplaced(window, settings.site ?? '').then((reloads) => {
      if (!reloads) complain(what);
    });
  },
});

document.addEventListener('keydown', (event) => {
  if (settings.hasSearch === undefined || !isSearchShortcut(event)) return;
  event.preventDefault();
  drawer?.close();
  application.search(selectedText(window));
});

document.addEventListener('click', (event) => {
  const target = event.target as Element;
  const search = target.closest<HTMLElement>('[data-search]');
  if (search) application.search(search.dataset.search || selectedText(window));
  const button = target.closest<HTMLElement>('[data-console]');
  if (button) application.console(button);
  const opener = target.closest<HTMLElement>('[data-drawer-open]');
  // Once it is there, it hears of such presses itself.
  if (opener && !drawer) openDrawer(opener);
  if (target.closest('[data-theme-toggle]')) {
    toggleTheme(root, matchMedia('(prefers-color-scheme: light)').matches);
  }
  if (target.closest('[data-announcement-close]')) dismiss(root, settings.announcement ?? '');
});

// In the place of what the first script kept. Once the drawer is there, it hears of these itself.
document.onclick = document.onkeydown = (event: Event) => drawer || loadLater(event);

/** Anything by which readers show that they are there, and perhaps about to go somewhere or to search. */
for (const intent of ['pointerover', 'focusin', 'touchstart'] as const) {
  document.addEventListener(intent, warmOnIntent, { passive: true });
}

// What is chosen in tabs should be there before anybody reads, and what a wrong address may have meant.
if (document.querySelector('.tabs,[data-near]')) loadLater();

if (document.readyState === 'complete') whenLoaded();
else window.addEventListener('load', whenLoaded);
window.addEventListener('scroll', onPresence, { once: true, passive: true });

function whenLoaded(): void {
  whenIdle(() => loadLater());
  if (connectionOf(navigator) === 'good') setTimeout(() => whenIdle(fetchApplication), 1500);
}

/** Starting the application costs the main thread more than the whole page did: for a reader who is there. */
function onPresence(): void {
  loadLater();
  if (isPresent || connectionOf(navigator) !== 'good') return;
  isPresent = true;
  whenIdle(warmAll);
}

function warmOnIntent(event: Event): void {
  onPresence();
  const target = event.target;
  if (!(target instanceof Element)) return;
  if (target.closest('a[href], [data-search], [data-console]')) application.warm();
  if (target.closest('[data-search]') && connectionOf(navigator) !== 'poor') {
    application.warmSearch();
  }
}

/** Brings the application into the cache, and runs none of it. */
function fetchApplication(): void {
  applicationScript()
    .then((address) => addLink(document, 'modulepreload', address))
    .catch(() => {
      // Nobody asked for it yet. Whoever does gets a new attempt and its error.
    });
}

function warmAll(): void {
  if (settings.hasSearch === undefined) application.warm();
  else application.warmSearch();
}

function openDrawer(opener: HTMLElement): void {
  const attempt = () => getLater().then(() => drawer?.open(opener));
  attempt()
    // It may have been on its way before the press.
    .catch(attempt)
    .catch(() => complain('menu'));
}

function complain(what: 'menu' | 'search' | 'console'): void {
  const failures: Failures = settings.failures ? JSON.parse(settings.failures) : FAILURES;
  showToast(document, failures[what], failures.close);
}

/** What was pressed is answered when it is there. */
function loadLater(pressed?: Event): void {
  getLater()
    .then(() => pressed && drawer?.answer(pressed))
    // The page can be read without it.
    .catch((error: unknown) => console.warn(error));
}

async function startLater(): Promise<void> {
  const module = await importWith<{ start(settings: Settings, takeOver: () => void): Later }>(
    laterScript,
    lateSheet,
  );
  drawer = module.start(settings, application.warm);
}

async function loadApplication(): Promise<Application> {
  // It has pages of all kinds to show.
  const module = await importWith<{ start(settings: Settings): Promise<Application> }>(
    applicationScript,
    wholeSheet,
  );
  return module.start(settings);
}

/** A script, with the sheet of what it shows. */
async function importWith<T>(
  script: () => Promise<string>,
  sheet: () => Promise<void>,
): Promise<T> {
  const [module] = await Promise.all([
    script().then((address) => import(/* @vite-ignore */ address) as Promise<T>),
    sheet(),
  ]);
  return module;
}

/** Chromium 148 keeps the failure of a module as long as its page: nothing is imported that has not arrived. */
function createScript(file: string): () => Promise<string> {
  const address = base + file;
  return loadOnce(async () => {
    const response = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!response.ok) throw new Error(`${address}: status ${response.status}`);
    await response.arrayBuffer();
    return address;
  });
}
