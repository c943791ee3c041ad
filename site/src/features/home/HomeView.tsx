import { sectionsOf } from '../../shared/content/locales';
import type { ExampleAnswer, Way } from '../../shared/content/model';
import { useHref, useSay, useSite } from '../../shared/content/SiteContext';
import { Icon } from '../../shared/ui/Icon';
import { Example } from './Example';
import styles from './HomeView.module.css';
import { SectionIcon } from './SectionIcon';
import { WayPicture } from './WayPicture';
import { WAY_TEXTS } from './ways';

interface HomeViewProps {
  example: ExampleAnswer | null;
  /** The search box; it is absent where the site has no search. */
  search: React.ReactNode;
}

export function HomeView({ example, search }: HomeViewProps) {
  const { title, tagline, ways } = useSite();
  return (
    <div className={styles.home}>
      <header className={styles.hero}>
        <h1 tabIndex={-1}>{tagline ?? title}</h1>
        <div className={styles.search}>{search}</div>
      </header>
      {ways.length > 0 && <Ways ways={ways} />}
      {example && <Example example={example} />}
      <Sections />
    </div>
  );
}

function Ways({ ways }: { ways: Way[] }) {
  const href = useHref();
  return (
    <section aria-label="Four ways in">
      <ul className={styles.ways}>
        {ways.map(({ id, path }) => (
          <li key={id}>
            <a href={href(path)}>
              <WayPicture id={id} />
              <strong>
                {WAY_TEXTS[id].title}
                <Icon name="arrowRight" />
              </strong>
              <span>{WAY_TEXTS[id].text}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Sections() {
  const say = useSay();
  const site = useSite();
  const sections = sectionsOf(site, site.homePath);
  const href = useHref();
  return (
    <section aria-labelledby="sections" className={styles.sections}>
      <h2 id="sections">{say('All sections')}</h2>
      <ul>
        {sections.map(({ id, title, path, pages }) => (
          <li key={id}>
            <a href={href(path)}>
              <SectionIcon id={id} />
              <span>{title}</span>
              <small>{say.count(pages, '{count} page', '{count} pages')}</small>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
