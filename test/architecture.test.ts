import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Import, readSources, type Source } from '#scripts/source.ts'

/** Who stands on whom: a part may use those after it. Parts in one row do not know each other. */
const order = [
  ['home', 'landing', 'gallery'],
  ['crawlers', 'workspace'],
  ['site', 'services', 'stories', 'enquiry', 'blog', 'marketplace'],
  [
    'dashboard',
    'own-security',
    'own-data',
    'user-admin',
    'blog-admin',
    'redirect-admin',
    'product-admin',
    'own-keys',
    'dataset-query',
    'developers',
  ],
  ['row-browser', 'product-versions', 'product-access'],
  ['own-account', 'audit-log', 'access-decision', 'post-form', 'data-api', 'product-form', 'product-upload', 'query-process'],
  ['dataset-view'],
  ['admin-view', 'post-history', 'dataset-files', 'api-keys'],
  ['sales', 'post-writing', 'entitlements', 'first-datasets'],
  ['leads', 'post-files', 'post-editor', 'drafts', 'redirect-import', 'dataset-intake'],
  ['posts', 'redirect-files', 'missing-paths', 'dataset-rows', 'dataset-reading'],
  ['redirects', 'datasets'],
  ['markdown', 'redirect-engine'],
  ['images'],
  ['sign-in-steps', 'letter-pages'],
  ['login', 'access-request', 'phone-step'],
  ['account'],
  ['auth-client'],
  ['deletion', 'avatar'],
  ['auth-admin', 'auth-provider'],
  ['users'],
  ['hosted'],
  ['auth'],
  ['wallet'],
  ['provider'],
  ['confirmation'],
  ['factor'],
  ['passkey'],
  ['session'],
  ['password'],
  ['identity'],
  ['account-letter'],
  ['one-time-token'],
  ['auth-protocol'],
  ['sms'],
  ['mail', 'spam', 'backup', 'picture', 'decoding', 'duckdb'],
  ['database', 'jobs', 'storage'],
  ['platform', 'ui'],
]

const files = readSources().filter(({ part }) => part === 'product')
const partOf = (file = '') => /^app\/(\w[\w-]*)\//.exec(file)?.[1] ?? ''
const rankOf = (file = '') => order.findIndex((row) => row.includes(partOf(file)))
const inFeature = ({ file }: Source) => rankOf(file) >= 0 && rankOf(file) < order.length - 1
const isShape = (source: Source) => inFeature(source) && /\/[\w-]+\.ts$/.test(source.file) && !source.file.startsWith('app/site/content/')
const isModel = (source: Source) => inFeature(source) && /\.server\.tsx?$/.test(source.file)
const isBelow = ({ file }: Source) => file.startsWith('app/platform/') || file.startsWith('app/ui/')
const reachesBrowser = (source: Source) => isShape(source) || /\.(page|layout|island)\.tsx$|^app\/ui\//.test(source.file)
const isOurs = (file = '') => file.startsWith('app/')

const imports: { because: string; from: (source: Source) => boolean; never: (path: Import, source: Source) => boolean }[] = [
  {
    because: 'platform and ui stand below the features',
    from: isBelow,
    never: ({ file }) => isOurs(file) && !/^app\/(platform|ui)\//.test(file ?? ''),
  },
  {
    because: 'ui knows no server and no table',
    from: ({ file }) => file.startsWith('app/ui/'),
    never: ({ file }) => /\.server\.|^db\//.test(file ?? ''),
  },
  { because: 'a shape knows no server and no table', from: isShape, never: ({ file }) => /\.server\.|^db\//.test(file ?? '') },
  {
    because: 'a shape runs anywhere, without React or Node',
    from: isShape,
    never: ({ specifier, typeOnly }) => !typeOnly && /^(node:|react)/.test(specifier),
  },
  { because: 'a browser gets zod/mini, a quarter of the size', from: reachesBrowser, never: ({ specifier }) => specifier === 'zod' },
  {
    because: 'only routes.ts names pages, only server.ts endpoints',
    from: ({ file }) => file !== 'app/server.ts',
    never: ({ file, specifier }) => /\.(page|layout|api)\.tsx?$/.test(file ?? '') && !specifier.startsWith('./+types/'),
  },
  { because: 'a feature uses only what stands below it', from: (source) => rankOf(source.file) >= 0, never: goesUp },
  { because: 'no climbing and no barrels', from: () => true, never: ({ specifier }) => /^\.\.\/|(^|\/)index(\.\w+)?$/.test(specifier) },
  {
    because: 'a path says the whole name of its file',
    from: () => true,
    never: ({ specifier }) => /^[.#]/.test(specifier) && !/\.\w+(\?[\w-]+)?$/.test(specifier),
  },
]

function goesUp({ file }: Import, source: Source): boolean {
  const [from, to] = [rankOf(source.file), rankOf(file)]
  // The words and figures of the site are plain data.
  if (to < 0 || partOf(file) === partOf(source.file) || file?.startsWith('app/site/content/')) return false
  return to <= from && from < order.length - 1
}

test('each folder has its one place in the order: one that is not listed would escape every rule', () => {
  const listed = order.flat()
  const folders = readdirSync('app', { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []))
  expect(folders.filter((folder) => !listed.includes(folder))).toEqual([])
  expect(listed.length).toBe(new Set(listed).size)
})

test.each(imports)('$because', ({ from, never }) => {
  const broken = files
    .filter(from)
    .flatMap((source) => source.imports.filter((path) => never(path, source)).map((path) => `${source.file} imports ${path.specifier}`))
  expect(broken).toEqual([])
})

const texts: { because: string; of: (source: Source) => boolean; never: RegExp }[] = [
  {
    because: 'a model knows no request and no response',
    of: isModel,
    never: /\b(Fastify(Request|Reply)|(?<!\w)(Request|Response)(?=[\s,;)>|[{]))/,
  },
  {
    because: 'one file reads the settings',
    of: ({ file }) => isOurs(file) && file !== 'app/platform/env.server.ts',
    never: /process\.env/,
  },
  {
    because:
      'what one page checks is in the script of the public forms as well: these cost them up to a kilobyte each, and a pattern or a refinement does as well',
    of: reachesBrowser,
    never:
      /\bz\.(pipe|transform|preprocess|codec|intersection|lazy|map|set|date|iso|file|bigint|templateLiteral|url|uuid|guid|email|jwt)\(/,
  },
  {
    because: 'only what React Router asks for is a default export',
    of: ({ file }) => !/\.(page|layout)\.tsx$|^app\/(root|routes|entry\.\w+)\.tsx?$/.test(file),
    never: /^export default/m,
  },
]

test.each(texts)('$because', ({ of, never }) => {
  const broken = files.filter(of).filter(({ text }) => never.test(text.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '')))
  expect(broken.map(({ file }) => file)).toEqual([])
})

test('a file is called noun.role.ts', () => {
  const roles = /^[a-z\d-]+(\.(server|page|layout|api|island|email))?\.tsx?$/
  expect(
    files
      .filter(inFeature)
      .map(({ file }) => file)
      .filter((file) => !roles.test(file.split('/').at(-1) ?? '')),
  ).toEqual([])
})
