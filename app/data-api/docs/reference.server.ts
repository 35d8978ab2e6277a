import { z } from 'zod'
import { filterOperators } from '#app/datasets/catalog/column.ts'
import { listProducts } from '#app/datasets/catalog/listing.server.ts'
import { downloadCommands } from '#app/datasets/catalog/download-command.ts'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import { readSample } from '#app/datasets/pages/sample.ts'
import type { RenderedMarkdown } from '#app/blog/markdown/rendering.server.ts'
import { renderInThread } from '#app/blog/markdown/rendering-thread.server.ts'
import { env } from '#app/platform/env.server.ts'
import { identity } from '#app/content/identity.ts'
import {
  exampleUrl,
  answerExample,
  type ExampleCaller,
  block,
  type Call,
  listCodeExamples,
  type ExampleColumns,
  savingExamplesOf,
} from './code-example.ts'
import { findDescription } from './description.server.ts'
import type { Parameter } from './operation.ts'
import { errorRows, parameterWords, referenceWords } from './reference-words.ts'

/** The reference for one dataset: HTML, its headings, and the datasets to choose from. */
export type Reference = Pick<RenderedMarkdown, 'html' | 'headings'> & { slug: string; datasets: { slug: string; name: string }[] }

const PLACE = '/api/v1/'
const ROWS = `${PLACE}datasets/{slug}/rows`
/** A placeholder while there is no dataset. */
const ANY = 'your-dataset'

/** Returns undefined when no dataset with an API has that slug. */
export async function findReference(slug: string | undefined): Promise<Reference | undefined> {
  const products = await listProducts(undefined)
  const datasets = products.filter(({ apiEndpoint }) => apiEndpoint).map((product) => ({ slug: product.slug, name: product.name }))
  const chosen = slug ?? datasets[0]?.slug ?? ANY
  if (slug !== undefined && !datasets.some((dataset) => dataset.slug === slug)) return undefined
  return { slug: chosen, datasets, ...(await rendered(await writeReference(chosen))) }
}

/** Cached by text: code highlighting takes most of the time. */
const known = new Map<string, Promise<RenderedMarkdown>>()
const MOST_KNOWN = 30

function rendered(text: string): Promise<RenderedMarkdown> {
  const found = known.get(text)
  if (found) return found
  const [oldest] = known.keys()
  if (oldest !== undefined && known.size >= MOST_KNOWN) known.delete(oldest)
  const made = renderInThread(text, { site: env.SITE_URL, pictures: new Map() })
  known.set(text, made)
  made.catch(() => known.delete(text))
  return made
}

/** The reference as Markdown. Its calls come from the description of the endpoints, so it changes with them. */
export async function writeReference(slug: string): Promise<string> {
  const [{ paths }, known] = await Promise.all([findDescription(), findKnown(slug)])
  const asker: ExampleCaller = { site: env.SITE_URL, slug, key: `${identity.name.toUpperCase().replaceAll(/\W/g, '_')}_KEY` }
  const calls = Object.entries(paths)
    .filter(([path]) => path.startsWith(PLACE))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    )
  const hasRows = calls.some(({ path }) => path === ROWS)
  return [
    beginning(asker),
    ...calls.map((call) => section(call, asker, known)),
    ...(hasRows ? [aboutFiles(asker), aboutRows(asker)] : []),
    ending(asker),
  ].join('\n\n')
}

function beginning({ site, slug, key }: ExampleCaller): string {
  return [
    `## ${referenceWords.start.title}`,
    ...referenceWords.start.steps.map((step, index) => `${index + 1}. ${step}`),
    `## ${referenceWords.key.title}`,
    referenceWords.key.text,
    block('bash', `export ${key}="wn_..."\ncurl "${site}${PLACE}datasets/${slug}" \\\n  --header "Authorization: Bearer $${key}"`),
    referenceWords.key.care,
  ].join('\n\n')
}

function section(call: Call, asker: ExampleCaller, known: ExampleColumns): string {
  const { method, path, operation } = call
  const { summary = path, description, parameters = [], responses = {} } = operation
  const isFile = path.endsWith('/download')
  const answer = isFile ? undefined : answerExample(responses['200']?.content?.['application/json']?.schema, known)
  return [
    `## ${summary}`,
    `\`${method} ${path}\``,
    ...(description ? [description] : []),
    ...(parameters.length > 0 ? [parameterTable(call)] : []),
    (isFile ? savingExamplesOf : listCodeExamples)(exampleUrl(call, asker), asker),
    ...(answer ? [referenceWords.answer, block('json', JSON.stringify(answer, null, 2))] : []),
  ].join('\n\n')
}

/** Path parameters come first. */
function parameterTable({ operation: { parameters = [] } }: Call): string {
  const rows = parameters
    .toSorted((one, other) => Number(other.in === 'path') - Number(one.in === 'path'))
    .map((one) => `| \`${one.name}\` | ${one.in} | ${one.description ?? wordsOf(one)} |`)
  return ['| Parameter | In | Description |', '|---|---|---|', ...rows].join('\n')
}

/** Lists the values of an enumeration. */
function wordsOf({ name, schema }: Parameter): string {
  const said = parameterWords[name] ?? ''
  const { enum: values } = parameterSchema.catch({}).parse(schema)
  return values ? `${said}: ${values.map((value) => `\`${value}\``).join(', ')}` : said
}

const parameterSchema = z.object({ enum: z.array(z.string()).optional() })

/** Public facts of a dataset, so the examples show its real values. */
async function findKnown(slug: string): Promise<ExampleColumns> {
  const product = (await listProducts(undefined)).find((one) => one.slug === slug)
  const { sampleData = null, ...values } = product ?? {}
  const [row = {}] = readSample(sampleData)
  return { values: { ...values, access: 'granted', nextCursor: null, version: 2, since: 1 }, row }
}

function aboutFiles({ site, slug, key }: ExampleCaller): string {
  const commands = downloadCommands.map(({ write }) =>
    block('bash', write({ site, slug, format: 'csv', name: `${slug}.csv`, key: `$${key}` })),
  )
  return [`## ${referenceWords.files.title}`, referenceWords.files.text, ...commands].join('\n\n')
}

function aboutRows({ site, slug, key }: ExampleCaller): string {
  return [
    `## ${referenceWords.filters.title}`,
    referenceWords.filters.text,
    [
      '| Operator | Meaning |',
      '|---|---|',
      ...filterOperators.map((name) => `| \`${name}\` | ${referenceWords.filters.operators[name]} |`),
    ].join('\n'),
    ...referenceWords.sections.flatMap(({ title, text }) => [`## ${title}`, ...text]),
    `## ${referenceWords.formats.title}`,
    referenceWords.formats.text,
    block(
      'bash',
      `curl "${site}${ROWS.replace('{slug}', slug)}?limit=1000" \\\n  --header "Authorization: Bearer $${key}" \\\n  --header "Accept: text/csv" \\\n  --output ${slug}.csv`,
    ),
  ].join('\n\n')
}

function ending({ slug }: ExampleCaller): string {
  const errors = errorRows.map(([status, code, why]) => `| ${status} | ${code && `\`${code}\``} | ${why} |`)
  return [
    `## ${referenceWords.errors.title}`,
    referenceWords.errors.text,
    ['| Status | `code` | Cause and remedy |', '|---|---|---|', ...errors].join('\n'),
    `## ${referenceWords.more.title}`,
    `${referenceWords.more.text} [openapi.json](/api/openapi.json). ${referenceWords.more.sql} [${MARKETPLACE}/${slug}/query](${MARKETPLACE}/${slug}/query).`,
  ].join('\n\n')
}
