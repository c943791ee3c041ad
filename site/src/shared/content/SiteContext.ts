import { createContext, use } from 'react';
import { hrefOf } from '../lib/paths';
import type { Destination, SiteData } from './model';
import { type Say, sayIn } from './words';

export const SiteContext = createContext<SiteData | null>(null);

export function useSite(): SiteData {
  const site = use(SiteContext);
  if (!site) throw new Error('The component tree has no SiteContext around it.');
  return site;
}

/** The words of the site, in the language of the page. */
export const SayContext = createContext<Say>(sayIn(null, 'en'));

export function useSay(): Say {
  return use(SayContext);
}

/** Returns the function that turns a path of the site into an href under its base. */
export function useHref(): (path: string) => string {
  const { base } = useSite();
  return (path) => hrefOf(base, path);
}

/** The href of a configured link, whether it stays within the site or not. */
export function destinationHref(base: string, destination: Destination): string {
  return 'to' in destination ? hrefOf(base, destination.to) : destination.href;
}
