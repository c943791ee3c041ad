import { languageName, localeOf } from '../../shared/content/locales';
import type { NavbarItem, Translation } from '../../shared/content/model';
import { useHref, useSay, useSite } from '../../shared/content/SiteContext';
import { Icon } from '../../shared/ui/Icon';
import { hrefOfItem } from './items';

interface EntryProps {
  item: NavbarItem;
  /** The item, here or in a dropdown, to which the page belongs. */
  current: NavbarItem | null;
  path: string;
  translations: readonly Translation[];
  /** In the bar, groups open on demand; in the menu of narrow screens they are lists. */
  form: 'bar' | 'menu';
}

/** So many are listed in the menu as they are. */
const FEW_LANGUAGES = 4;

export function NavbarEntry({ item, current, path, translations, form }: EntryProps) {
  const say = useSay();
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
              <NavbarEntry
                item={each}
                current={current}
                path={path}
                translations={translations}
                form={form}
              />
            </li>
          ))}
        </Group>
      );
    case 'language':
      return (
        <Group
          form={form}
          what={say('Language')}
          label={languageName(localeOf(site.locales, path))}
          isLong={site.locales.length > FEW_LANGUAGES}
        >
          {site.locales.map((locale) => {
            const isCurrent = locale === localeOf(site.locales, path);
            const translated = translations.find(({ tag }) => tag === locale.tag);
            return (
              <li key={locale.tag}>
                <a
                  href={href(isCurrent ? path : (translated?.path ?? locale.start))}
                  lang={locale.tag}
                  hrefLang={locale.tag}
                  aria-current={isCurrent ? 'true' : undefined}
                >
                  {languageName(locale)}
                </a>
              </li>
            );
          })}
        </Group>
      );
    case 'version':
      return (
        site.docsVersion && (
          <Group form={form} what={say('Version')} label={site.docsVersion.label}>
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
  isLong,
  children,
}: {
  form: 'bar' | 'menu';
  what?: string;
  label: string;
  /** The list is folded in the menu, too. */
  isLong?: boolean;
  children: React.ReactNode;
}) {
  if (form === 'menu' && isLong) {
    return (
      <details>
        <summary>
          {what}: {label}
        </summary>
        <ul>{children}</ul>
      </details>
    );
  }
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
