import { use } from 'react';
import { useStore } from 'zustand';
import { NavigateContext } from './navigation';
import { useSite } from '../shared/content/SiteContext';
import { searchSlot } from './searchSlot';

/** The place of the search in the shell: empty until somebody searches. */
export function SearchPlace() {
  const { search } = useSite();
  const navigate = use(NavigateContext);
  const module = useStore(searchSlot, (slot) => slot.module);
  if (!module || !search || !navigate) return null;
  return <module.SearchRoot config={search} navigate={navigate} />;
}
