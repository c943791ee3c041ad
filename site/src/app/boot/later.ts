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
import { createScriptUrlPolicy } from '../../platform/trustedScriptUrl';
import { afterFrame } from '../../shared/lib/afterFrame';
import { connectionOf } from '../../shared/lib/connection';
import { PAGE_EVENT } from '../pageEvent';
import { copyCode, prepareCode, wrapCode } from './code';
import { closeDropdowns } from './dropdowns';
import type { MissingOptions } from './missing';
import { followReading } from './readingPosition';
import { revealCurrent } from './revealCurrent';
import { followScrolling } from './scrolling';
import { addLink } from './sheet';
import { chooseTab, prepareTabs, showAskedPart, showLinkedPart, showNextPart } from './tabs';
import { showToast } from './toast';

export interface LaterOptions {
  /** Address of the service worker; null where there is none. */
  worker: string | null;
  base: string;
  /** Address of the `SiteData`. */
  site: string;
  /** Why there is no search, where that was not wanted. */
  searchProblem: string | undefined;
}

export interface Later extends Drawer {
  /** Answers what was pressed before this was there. */
  answer(pressed: Event): void;
}

/** What the bundler knows: files below the site's folder. */
declare const LATER_FILES: { missing: string };

export function start(options: LaterOptions): Later {
  const { worker, base, site, searchProblem } = options;
  if (searchProblem) console.warn(`siftwren: ${searchProblem}`);
  document.addEventListener('click', (event) => {
    const target = event.target as Element;
    const copy = target.closest<HTMLElement>('.code-copy');
    if (copy) void copyCode(copy, navigator.clipboard);
    const wrap = target.closest<HTMLElement>('.code-wrap');
    if (wrap) wrapCode(wrap);
    const version = target.closest<HTMLElement>('[data-version]');
    if (version) rememberVersion(version);
    showLinkedPart(target.closest('a'));
  });
  window.addEventListener('hashchange', showNextPart);
  for (const press of ['click', 'keydown'] as const) {
    document.addEventListener(press, answer);
  }
  closeDropdowns(document);
  followScrolling(window);
  // Whether lines are too long is known once their block is seen.
  for (const change of ['resize', 'toggle'] as const) {
    window.addEventListener(change, () => prepareCode(document), { capture: true });
  }
  document.addEventListener(PAGE_EVENT, () => {
    prepareTabs();
    showAskedPart();
    afterFrame(() => {
      for (const step of PAGE_STEPS) step();
    });
  });
  const isMissing = document.querySelector('main [data-near]') !== null;
  if (isMissing && connectionOf(navigator) !== 'poor') proposeNear(base, site);
  const once = [
    () => nameManifest(base),
    () => {
      if (worker !== null) keepOffline(worker);
    },
  ];
  // Each in a task of its own: what the reader does is never behind all of them, and what fails takes none along.
  for (const step of [prepareTabs, showAskedPart, ...PAGE_STEPS, ...once]) setTimeout(step);
  return Object.assign(createDrawer(window), { answer });
}

function answer(pressed: Event): void {
  if (chooseTab(pressed)) prepareCode(document);
}

let stopFollowing = () => {};

/** What is done for each page that is on the screen. They ask where things are; the tabs change where they are. */
const PAGE_STEPS = [
  () => prepareCode(document),
  () => revealCurrent(document),
  () => {
    stopFollowing();
    stopFollowing = followReading(window);
  },
];

function proposeNear(base: string, site: string): void {
  const module = import(/* @vite-ignore */ base + LATER_FILES.missing) as Promise<{
    propose(options: MissingOptions): Promise<void>;
  }>;
  module
    .then(({ propose }) => propose({ base, site }))
    .catch((error: unknown) => console.warn('Near pages could not be looked for.', error));
}

/** Browsers want it when a reader installs the site, and ask for it at load wherever it is named. */
function nameManifest(base: string): void {
  addLink(document, 'manifest', `${base}manifest.webmanifest`);
}

function keepOffline(worker: string): void {
  if (!('serviceWorker' in navigator)) return;
  const events: OfflineEvents = {
    stored: (state) => showStored(document, state),
    update({ accept }) {
      const perform = () => {
        showToast(document, 'The new version comes in a moment.', null);
        // The button that was pressed has gone.
        document.querySelector<HTMLElement>('#\\:toast button')?.focus();
        accept();
      };
      showToast(document, 'A new version of these docs is available.', {
        label: 'Update',
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
