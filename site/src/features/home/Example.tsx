import type { ExampleAnswer } from '../../shared/content/model';
import { useHref, useSite } from '../../shared/content/SiteContext';
import { Icon } from '../../shared/ui/Icon';
import styles from './Example.module.css';

/** One query and its answer, each bar as long as its score. */
export function Example({ example }: { example: ExampleAnswer }) {
  const { search } = useSite();
  const href = useHref();
  const top = example.hits[0]?.score ?? 1;
  return (
    <section className={styles.example} aria-labelledby="example" data-example={example.query}>
      <div>
        <h2 id="example">A query is a ranking</h2>
        <p>
          These docs are a dataset, and their search is a model. Three pages that this build’s own
          index ranks first, with their scores.
        </p>
        {search && (
          <button type="button" data-search={example.query} data-needs-js="">
            Ask it yourself
            <Icon name="arrowRight" />
          </button>
        )}
      </div>
      <div className={styles.answer}>
        <p className={styles.query}>
          <Icon name="search" />
          {example.query}
        </p>
        <ol>
          {example.hits.map((hit) => (
            <li key={hit.path}>
              <a href={href(hit.path)}>
                <span>{hit.title}</span>
                <small>{hit.section}</small>
                <data value={hit.score}>{hit.score.toFixed(2)}</data>
                <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                  <rect width={Math.round((hit.score / top) * 100)} height="6" />
                </svg>
              </a>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
