import type { NavbarItem } from '../../shared/content/model';
import { useHref, useSite } from '../../shared/content/SiteContext';
import { Icon } from '../../shared/ui/Icon';
import { hrefOfItem, languageName } from './items';

interface EntryProps {
  item: NavbarItem;
  /** The item, here or in a dropdown, to which the page belongs. */
  current: NavbarItem | null;
  path: string;
  /** In the bar, groups open on demand; in the menu of narrow screens they are lists. */
  form: 'bar' | 'menu';
}

export function NavbarEntry({ item, current, path, form }: EntryProps) {
  const site = useSite();
  const href = useHref();
  switch (item.type) {
    case 'link':
    case 'doc':
    case 'sidebar':
      return (
        <a href={hrefOfItem(item, href)} aria-current={item === current ? 'true' : undefined}>
          {item.label}
        </a>
      );
    case 'dropdown':
      return (
        <Group form={form} label={item.label}>
          {item.items.map((each) => (
            <li key={keyOf(each)}>
              <NavbarEntry item={each} current={current} path={path} form={form} />
            </li>
          ))}
        </Group>
      );
    case 'language':
      return (
        <Group form={form} what="Language" label={languageName(site.locales[0] ?? 'en')}>
          {site.locales.map((locale) => (
            <li key={locale}>
              <a href={href(path)} lang={locale} hrefLang={locale} aria-current="true">
                {languageName(locale)}
              </a>
            </li>
          ))}
        </Group>
      );
    case 'version':
      return (
        site.docsVersion && (
          <Group form={form} what="Version" label={site.docsVersion.label}>
            <li>
              <a
                href={href(path)}
                aria-current="true"
                data-version={site.docsVersion.label}
                data-plugin={site.docsVersion.plugin}
              >
                {site.docsVersion.label}
              </a>
            </li>
          </Group>
        )
      );
    case 'search':
    case 'theme':
      return null;
    case 'unknown':
      throw new Error(`No NavbarItem component found for type "${item.name}".`);
  }
}

/** A label and its list. `what` says to those who do not see the others what is chosen here. */
function Group({
  form,
  what,
  label,
  children,
}: {
  form: 'bar' | 'menu';
  what?: string;
  label: string;
  children: React.ReactNode;
}) {
  if (form === 'menu') {
    return (
      <>
        <p>{what ?? label}</p>
        <ul>{children}</ul>
      </>
    );
  }
  return (
    <details name="navbar" data-dropdown="">
      <summary>
        {what !== undefined && <span className="visually-hidden">{what}: </span>}
        {label}
        <Icon name="chevron" />
      </summary>
      <ul>{children}</ul>
    </details>
  );
}

/** Items have no ids; no two that lead to different places look alike. */
export function keyOf(item: NavbarItem): string {
  return 'label' in item ? `${item.type} ${item.label}` : item.type;
}
