// Sets a generator's project up, the way its own documentation says.
//
//   node project.mjs NAME CONTENT PROJECT
//
// The project lies below the folder where the packages are installed, so that Node finds them. Prints, as JSON, the command that
// builds the site there, the folder that the site is in then, and that of the Markdown. Where a generator has a search of its own that runs without a server, it is on.
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const [name, content, project] = process.argv.slice(2);

/** folder -> its files, both in the order of their names. */
async function tree() {
  const files = (await readdir(content, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(content, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
  const folders = new Map();
  for (const file of files) {
    const folder = dirname(file);
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  return folders;
}

async function titleOf(file) {
  const line = /^title: (".*")$/m.exec(await readFile(join(content, file), 'utf8'));
  return line ? JSON.parse(line[1]) : basename(file, '.md');
}

const write = async (file, text) => {
  await mkdir(dirname(join(project, file)), { recursive: true });
  await writeFile(join(project, file), text);
};
const FRONT_MATTER = /^---\n[\s\S]*?\n---\n/;
/** Their own templates bring one; without it each page asks for a file that is not there. */
const favicon = (folder) =>
  write(
    `${folder}/favicon.svg`,
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#2f6f4f"/></svg>\n',
  );
const bin = (program) => join(here, 'node_modules/.bin', program);

const GENERATORS = {
  async docusaurus() {
    await cp(content, join(project, 'docs'), { recursive: true });
    await favicon('static');
    await write('package.json', '{"name":"bench-docusaurus","private":true}');
    await write(
      'docusaurus.config.mjs',
      `export default {
  title: 'Bench', url: 'https://bench.example', baseUrl: '/', favicon: 'favicon.svg', onBrokenLinks: 'ignore', onBrokenAnchors: 'ignore',
  future: { v4: true, faster: true },
  markdown: { format: 'md', hooks: { onBrokenMarkdownLinks: 'ignore', onBrokenMarkdownImages: 'ignore' } },
  presets: [['classic', { docs: { routeBasePath: '/', numberPrefixParser: false }, blog: false, theme: {} }]],
  themeConfig: { navbar: { title: 'Bench' } },
};\n`,
    );
    return { command: [bin('docusaurus'), 'build', '--out-dir', 'dist'], dist: 'dist', content: 'docs' };
  },

  async vitepress() {
    await cp(content, project, { recursive: true });
    for (const file of [...(await tree()).values()].flat()) {
      // VitePress shows no title of its own: the heading is part of the Markdown.
      const text = await readFile(join(content, file), 'utf8');
      await write(file, text.replace(FRONT_MATTER, `$&\n# ${await titleOf(file)}\n\n`));
    }
    const sidebar = [];
    for (const [folder, files] of await tree()) {
      const items = await Promise.all(
        files.map(async (file) => ({ text: await titleOf(file), link: `/${file.replace(/\.md$/, '')}` })),
      );
      sidebar.push({ text: folder, collapsed: true, items });
    }
    await favicon('public');
    await write('package.json', '{"name":"bench-vitepress","private":true,"type":"module"}');
    await write(
      '.vitepress/config.mjs',
      // In this Markdown {{ }} is text.
      `export default {
  title: 'Bench', head: [['link', { rel: 'icon', href: '/favicon.svg' }]], ignoreDeadLinks: true, cleanUrls: false,
  markdown: { config: (md) => { const text = md.renderer.rules.text; md.renderer.rules.text = (...a) => (text ? text(...a) : md.utils.escapeHtml(a[0][a[1]].content)).replaceAll('{{', '&#123;&#123;'); } },
  vue: { template: { compilerOptions: { isCustomElement: () => false } } },
  themeConfig: { search: { provider: 'local' }, sidebar: ${JSON.stringify(sidebar)} },
};\n`,
    );
    return { command: [bin('vitepress'), 'build', '.'], dist: '.vitepress/dist', content: '.' };
  },

  async starlight() {
    await cp(content, join(project, 'src/content/docs'), { recursive: true });
    await favicon('public');
    // Astro bundles the packages that are named here, and leaves others to Node, which knows no `astro:` modules.
    await write(
      'package.json',
      '{"name":"bench-starlight","private":true,"type":"module","dependencies":{"astro":"*","@astrojs/starlight":"*"}}',
    );
    await write(
      'src/content.config.ts',
      `import { defineCollection } from 'astro:content';
import { docsLoader } from '@astrojs/starlight/loaders';
import { docsSchema } from '@astrojs/starlight/schema';
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };\n`,
    );
    await write(
      'astro.config.mjs',
      `import { defineConfig } from 'astro/config';
import starlight from '@astrojs/starlight';
export default defineConfig({ site: 'https://bench.example', telemetry: false, integrations: [starlight({ title: 'Bench' })] });\n`,
    );
    // Astro 7 wants Node 22 or newer; the package "node" brings one.
    return {
      command: [bin('node'), join(here, 'node_modules/astro/bin/astro.mjs'), 'build'],
      dist: 'dist',
      content: 'src/content/docs',
    };
  },

  async mdbook() {
    const lines = ['# Summary', ''];
    for (const [folder, files] of await tree()) {
      // A book has no folders of its own: the first page of one carries the others.
      for (const [index, file] of files.entries()) {
        const text = (await titleOf(file)).replace(/[[\]]/g, '\\$&');
        lines.push(`${index === 0 || folder === '.' ? '' : '  '}- [${text}](<${file}>)`);
      }
    }
    await cp(content, join(project, 'src'), { recursive: true });
    for (const file of [...(await tree()).values()].flat()) {
      // mdBook knows no front matter; the title is a heading there.
      const text = (await readFile(join(content, file), 'utf8')).replace(FRONT_MATTER, '');
      await write(`src/${file}`, `# ${await titleOf(file)}\n${text}`);
    }
    await write('src/SUMMARY.md', `${lines.join('\n')}\n`);
    await write('book.toml', '[book]\ntitle = "Bench"\n[output.html]\n');
    return { command: [join(here, 'mdbook/bin/mdbook'), 'build'], dist: 'book', content: 'src' };
  },
};

// A first build, without what an earlier one left: some keep it beside the packages.
for (const kept of ['.astro', '.cache', '.vite']) {
  await rm(join(here, 'node_modules', kept), { recursive: true, force: true });
}
await mkdir(project, { recursive: true });
// Some look for packages beside the project, and not above it.
await symlink(join(here, 'node_modules'), join(project, 'node_modules'));
const { command, dist, content: copy } = await GENERATORS[name]();
console.log(
  JSON.stringify({ command, dist: resolve(project, dist), content: resolve(project, copy) }),
);
