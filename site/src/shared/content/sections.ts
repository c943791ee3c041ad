import type { SidebarItem } from './model';

/** The first page in or below the item. */
export function firstPath(item: SidebarItem): string | null {
  if (item.path !== null) return item.path;
  for (const child of item.items) {
    const path = firstPath(child);
    if (path !== null) return path;
  }
  return null;
}
