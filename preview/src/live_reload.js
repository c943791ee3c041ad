// Runs in every page while an author is at work, before any script of the site. It shows each build as soon as it is there, says
// what is wrong while there is none, and keeps the site from storing itself: what is stored would be shown instead.
(() => {
  const { src } = document.currentScript;
  const base = new URL('..', src).href;
  const shown = new URL(src).searchParams.get('build');
  const box = createBox();
  // The site does without, as in a browser that has none.
  delete Navigator.prototype.serviceWorker;
  follow();

  async function follow() {
    let known = '';
    for (;;) {
      await visible();
      const { build, problem } = (await ask(known)) ?? {};
      if (!build) {
        if (document.visibilityState === 'visible') await new Promise((resolve) => setTimeout(resolve, 1000));
        continue;
      }
      known = build;
      if (problem === '' && build !== shown) {
        location.reload();
        return;
      }
      box.show(problem);
    }
  }

  /** One connection for each page that can be seen: browsers have six for a server. */
  function visible() {
    if (document.visibilityState === 'visible') return;
    return new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
  }

  /** The server answers once there is something else than what is known; null if it does not. */
  async function ask(known) {
    const hidden = new AbortController();
    const stop = () => hidden.abort();
    document.addEventListener('visibilitychange', stop);
    try {
      const answer = await fetch(`${base}-/live-reload?known=${known}`, { signal: hidden.signal });
      // The name of a build, or nothing while nobody is at work; then what kept it from being made.
      const [build, ...problem] = (await answer.text()).split('\n');
      return { build, problem: problem.join('\n').trim() };
    } catch {
      // The server has ended, or the page is hidden.
      return null;
    } finally {
      document.removeEventListener('visibilitychange', stop);
    }
  }

  function createBox() {
    const box = document.createElement('section');
    box.setAttribute('role', 'alert');
    box.tabIndex = 0;
    const heading = document.createElement('strong');
    heading.textContent = 'The site stays as it was, because something is wrong:';
    const text = document.createElement('pre');
    box.append(heading, text);
    // The page's policy lets scripts set styles, and no element bring its own.
    Object.assign(box.style, {
      position: 'fixed',
      inset: 'auto 0 0 0',
      zIndex: '2147483647',
      maxHeight: '60vh',
      overflow: 'auto',
      padding: '1rem 1.25rem',
      font: '0.9375rem/1.5 system-ui, sans-serif',
      color: '#fff',
      background: '#7a1320',
      borderTop: '3px solid #ff8a80',
    });
    Object.assign(text.style, {
      margin: '0.5rem 0 0',
      font: '0.875rem/1.5 ui-monospace, monospace',
      whiteSpace: 'pre-wrap',
      overflowWrap: 'anywhere',
    });
    return {
      show(problem) {
        if (problem === '') {
          box.remove();
          return;
        }
        text.textContent = problem;
        if (!box.isConnected) document.body.append(box);
      },
    };
  }
})();
