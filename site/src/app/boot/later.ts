/**
 * What a page needs once it can be seen: the boot script imports this module when the reader does
 * the first thing, or when the page has been loaded and the machine is idle.
 */
import { createDrawer, type Drawer } from '../../features/drawer/drawer';
import { rememberVersion } from '../../features/navbar/version';
import {
  askWhatIsStored,
  type OfflineEvents,
  registerServiceWorker,
} from '../../features/offline/registration';
import { showStored } from '../../features/offline/showStored';
import { followTheme } from '../../features/theme/themeChoice';
import { createScriptUrlPolicy } from '../../platform/trustedScriptUrl';
import { type Say, sayIn, type Words, words } from '../../shared/content/words';
import { afterFrame } from '../../shared/lib/afterFrame';
import { connectionOf } from '../../shared/lib/connection';
import { PATIENCE_MS } from '../../shared/lib/patience';
import { firstStop } from '../../shared/lib/stops';
import { PAGE_EVENT, type PageEventDetail } from '../pageEvent';
import { copyCode, prepareCode, wrapCode } from './code';
import { closeDropdowns } from './dropdowns';
import type { MissingOptions } from './missing';
import { followReading } from './readingPosition';
import { revealCurrent } from './revealCurrent';
import { followScrolling } from './scrolling';
import type { Settings } from './settings';
import { addLink } from './sheet';
import { followTabStops } from './tabStops';
import { chooseTab, prepareTabs, showAskedPart, showLinkedPart, showNextPart } from './tabs';
import { showToast } from './toast';

export interface Later extends Drawer {
  /** Answers what was pressed before this was there. */
  answer(pressed: Event): void;
}

/** What the bundler knows: files below the site's folder. */
declare const LATER_FILES: { missing: string };

/** `takeOver` starts the application. */
export function start(
  { worker, words: wordsUrl, base = '/', site = '', searchProblem }: Settings,
  takeOver: () => void,
): Later {
  if (searchProblem) console.warn(`siftwren: ${searchProblem}`);
  document.addEventListener('click', (event) => {
    const target = event.target as Element;
    const copy = target.closest<HTMLElement>('.code-copy');
    if (copy) void copyCode(copy, navigator.clipboard, say);
    const wrap = target.closest<HTMLElement>('.code-wrap');
    if (wrap) wrapCode(wrap);
    const version = target.closest<HTMLElement>('[data-version]');
    if (version) rememberVersion(version);
    showLinkedPart(target.closest('a'));
  });
  window.addEventListener('hashchange', () => {
    showNextPart();
    // An entry of before a reload: the application knows its place.
    if (history.scrollRestoration === 'manual') takeOver();
  });
  for (const press of ['click', 'keydown'] as const) {
    document.addEventListener(press, answer);
  }
  closeDropdowns(document);
  followScrolling(window);
  followTheme(window, document.documentElement);
  // Whether lines are too long is known once their block is seen.
  for (const change of ['resize', 'toggle'] as const) {
    window.addEventListener(change, () => prepareCode(document, say), { capture: true });
  }
  document.addEventListener(PAGE_EVENT, (event) => {
    isElsewhere = true;
    say = sayHere((event as CustomEvent<PageEventDetail>).detail.words);
    prepareTabs();
    showAskedPart();
    afterFrame(() => {
      for (const step of PAGE_STEPS) step();
    });
  });
  const isMissing = document.querySelector('main [data-near]') !== null;
  const once = [
    () => {
      if (isMissing && connectionOf(navigator) !== 'poor')
        proposeNear({ base, site, say, takeOver });
    },
    () => nameManifest(base),
    () => {
      if (worker !== undefined) keepOffline(worker);
    },
  ];
  void sayWith(wordsUrl).then((found) => {
    if (!isElsewhere) say = found;
    // Each in a task of its own: what the reader does is never behind all of them, and what fails takes none along.
    for (const step of [prepareTabs, showAskedPart, ...PAGE_STEPS, ...once]) setTimeout(step);
  });
  return Object.assign(createDrawer(window), { answer });
}

function answer(pressed: Event): void {
  if (chooseTab(pressed)) prepareCode(document, say);
  const close = (pressed.target as Element).closest('[data-announcement-close]');
  if (close && pressed.type === 'click') leaveAnnouncement(close);
}

/** The bar has gone with the button that has the focus, which goes on to the bar below. */
function leaveAnnouncement(close: Element): void {
  const { activeElement, body } = document;
  if (activeElement !== body && activeElement !== close) return;
  firstStop(close.parentElement?.nextElementSibling)?.focus({ preventScroll: true });
}

let say = sayHere(null);
/** The application has said how to say things on another page. */
let isElsewhere = false;

function sayHere(found: Words | null): Say {
  return sayIn(found, document.documentElement.lang);
}

/** In English where the words cannot be had. */
async function sayWith(url: string | undefined): Promise<Say> {
  if (url === undefined) return say;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return sayHere(words(await response.json(), url));
  } catch (error) {
    console.warn('The words of the site could not be loaded.', error);
    return say;
  }
}

let stopFollowing = () => {};
let stopObserving = () => {};

/** What is done for each page that is on the screen. They ask where things are; the tabs change where they are. */
const PAGE_STEPS = [
  () => prepareCode(document, say),
  () => revealCurrent(document),
  () => {
    stopFollowing();
    stopFollowing = followReading(window);
  },
  () => {
    stopObserving();
    stopObserving = followTabStops(document);
  },
];

function proposeNear(options: MissingOptions): void {
  const module = import(/* @vite-ignore */ options.base + LATER_FILES.missing) as Promise<{
    propose(options: MissingOptions): Promise<void>;
  }>;
  module
    .then(({ propose }) => propose(options))
    .catch((error: unknown) => console.warn('Near pages could not be looked for.', error));
}

/** Browsers want it when a reader installs the site, and ask for it at load wherever it is named. */
function nameManifest(base: string): void {
  addLink(document, 'manifest', `${base}manifest.webmanifest`);
}

function keepOffline(worker: string): void {
  if (!('serviceWorker' in navigator)) return;
  const events: OfflineEvents = {
    stored: (state) => showStored(document, state, say),
    update({ accept }) {
      const perform = () => {
        showToast(document, say('The new version comes in a moment.'), say('Close'));
        // The button that was pressed has gone.
        document.querySelector<HTMLElement>('#\\:toast button')?.focus();
        accept();
      };
      showToast(document, say('A new version of these docs is available.'), say('Later'), {
        label: say('Update'),
        perform,
      });
    },
  };
  if (connectionOf(navigator) === 'poor') {
    askWhatIsStored(navigator.serviceWorker, events);
    return;
  }
  const url = createScriptUrlPolicy('siftwren-sw')(worker);
  registerServiceWorker(window, url, events).catch((error: unknown) =>
    console.warn('The docs are not available offline.', error),
  );
}
