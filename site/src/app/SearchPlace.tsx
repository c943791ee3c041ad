import { Component, type ReactNode, use } from 'react';
import { useStore } from 'zustand';
import { localeOf } from '../shared/content/locales';
import { useSay, useSite } from '../shared/content/SiteContext';
import type { Say } from '../shared/content/words';
import { showToast } from './boot/toast';
import { NavigateContext } from './navigation';
import { searchSlot } from './searchSlot';

/** The place of the search in the shell: empty until somebody searches. */
export function SearchPlace({ path }: { path: string }) {
  const { search, locales } = useSite();
  const locale = localeOf(locales, path);
  const navigate = use(NavigateContext);
  const say = useSay();
  const module = useStore(searchSlot, (slot) => slot.module);
  if (!module || !search || !navigate) return null;
  return (
    <SearchBoundary say={say}>
      <module.SearchRoot key={locale.tag} config={search} locale={locale} navigate={navigate} />
    </SearchBoundary>
  );
}

/** A search that crashes is taken away, and the page stays; whoever opens it again gets a new one. */
class SearchBoundary extends Component<{ say: Say; children: ReactNode }, { hasCrashed: boolean }> {
  override state = { hasCrashed: false };

  static getDerivedStateFromError() {
    return { hasCrashed: true };
  }

  override componentDidCatch(error: unknown) {
    console.error('The search crashed.', error);
    const { say } = this.props;
    showToast(document, say('The search crashed. Open it again to go on searching.'), say('Close'));
    searchSlot.setState({ module: null });
  }

  override render() {
    return this.state.hasCrashed ? null : this.props.children;
  }
}
