import { useContext, useEffect } from 'react';
import { useLoaderData, useOutletContext } from 'react-router';
import { HomeView } from '../features/home/HomeView';
import { SearchButton } from '../features/navbar/SearchButton';
import { DocArticle } from '../features/page/DocArticle';
import { directionOf, localeOf } from '../shared/content/locales';
import type { PageView } from '../shared/content/model';
import { useSay, useSite } from '../shared/content/SiteContext';
import { afterFrame } from '../shared/lib/afterFrame';
import { decoded } from '../shared/lib/paths';
import type { Arrived } from './arrived';
import { documentTitle } from './documentTitle';
import { NotFound } from './NotFound';
import { goOnFrom } from './navigation';
import { Offline } from './Offline';
import { PAGE_EVENT, type PageEventDetail } from './pageEvent';
import { PlacesContext } from './scrollPlaces';

export function PageRoute() {
  const view = useLoaderData<PageView>();
  const { page } = view;
  const { search } = useSite();
  useArrival(view);
  switch (page.kind) {
    case 'doc':
      return <DocArticle key={page.path} page={page} />;
    case 'home':
      return <HomeView example={page.example} search={search && <SearchButton size="hero" />} />;
    case 'not-found':
      return <NotFound key={page.path} page={page} />;
    case 'offline':
      return <Offline page={page} />;
  }
}

/**
 * After a client-side navigation: the title, the event by which the boot script adds copy buttons and follows the new table of
 * contents, and the focus: on the link by which the reader once left it, on the anchor, or on the page's heading. That waits until the page is on the screen: it lays out the page, which the
 * frame does anyway. The page that came as HTML needs none of it.
 */
function useArrival({ page, words }: PageView): void {
  const site = useSite();
  const say = useSay();
  const places = useContext(PlacesContext);
  const arrived = useOutletContext<Arrived>();
  useEffect(() => {
    if (arrived.current === page.path) return;
    arrived.current = page.path;
    document.title = documentTitle(page, site, say);
    const { tag } = localeOf(site.locales, page.path);
    document.documentElement.lang = tag;
    document.documentElement.dir = directionOf(tag) ?? '';
    document.dispatchEvent(new CustomEvent<PageEventDetail>(PAGE_EVENT, { detail: { words } }));
    afterFrame(() => {
      // A reader who has gone on meanwhile is left alone.
      if (arrived.current !== page.path) return;
      const anchor = document.getElementById(decoded(location.hash.slice(1)));
      const place = places?.link() ?? anchor ?? document.querySelector('h1');
      if (place) goOnFrom(place);
    });
  }, [page, words, site, say, places, arrived]);
}
