import { z } from 'zod'
import { filterOperators } from '#app/datasets/column.ts'
import { listProducts } from '#app/datasets/listing.server.ts'
import { downloadCommands } from '#app/datasets/download-command.ts'
import { MARKETPLACE } from '#app/datasets/addresses.ts'
import { readSample } from '#app/dataset-view/sample.ts'
import type { Rendered } from '#app/markdown/rendering.server.ts'
import { renderInThread } from '#app/markdown/rendering-thread.server.ts'
import { env } from '#app/platform/env.server.ts'
import { identity } from '#app/site/content/identity.ts'
import { addressOf, answerExample, type Asker, block, type Call, examplesOf, type Known, savingExamplesOf } from './code-example.ts'
import { findDescription } from './description.server.ts'
import type { Parameter } from './operation.ts'
import { errorRows, parameterWords, words } from './reference-words.ts'

/** The reference for one dataset: HTML, its headings, and the datasets that it can be written for. */
export type Reference = Pick<Rendered, 'html' | 'headings'> & { slug: string; datasets: { slug: string; name: string }[] }

const PLACE = '/api/v1/'
const ROWS = `${PLACE}datasets/{slug}/rows`
/** Stands where there is no dataset yet. */
const ANY = 'your-dataset'

/** Undefined when no dataset with an API has that name. */
export async function findReference(slug: string | undefined): Promise<Reference | undefined> {
  const products = await listProducts(undefined)
  const datasets = products.filter(({ apiEndpoint }) => apiEndpoint).map((product) => ({ slug: product.slug, name: product.name }))
  const chosen = slug ?? datasets[0]?.slug ?? ANY
  if (slug !== undefined && !datasets.some((dataset) => dataset.slug === slug)) return undefined
  return { slug: chosen, datasets, ...(await rendered(await writeReference(chosen))) }
}

/** Once for each text: colouring code takes longer than all else. */
const known = new Map<string, Promise<Rendered>>()
const MOST_KNOWN = 30

function rendered(text: string): Promise<Rendered> {
  const found = known.get(text)
  if (found) return found
  const [oldest] = known.keys()
  if (oldest !== undefined && known.size >= MOST_KNOWN) known.delete(oldest)
  const made = renderInThread(text, { site: env.SITE_URL, pictures: new Map() })
  known.set(text, made)
  made.catch(() => known.delete(text))
  return made
}

/** The reference as Markdown. What it says of calls comes from the description of the endpoints, so it changes with them. */
export async function writeReference(slug: string): Promise<string> {
  const [{ paths }, known] = await Promise.all([findDescription(), findKnown(slug)])
  const asker: Asker = { site: env.SITE_URL, slug, key: `${identity.name.toUpperCase().replaceAll(/\W/g, '_')}_KEY` }
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

function beginning({ site, slug, key }: Asker): string {
  return [
    `## ${words.start.title}`,
    ...words.start.steps.map((step, index) => `${index + 1}. ${step}`),
    `## ${words.key.title}`,
    words.key.text,
    block('bash', `export ${key}="wn_..."\ncurl "${site}${PLACE}datasets/${slug}" \\\n  --header "Authorization: Bearer $${key}"`),
    words.key.care,
  ].join('\n\n')
}

function section(call: Call, asker: Asker, known: Known): string {
  const { method, path, operation } = call
  const { summary = path, description, parameters = [], responses = {} } = operation
  const isFile = path.endsWith('/download')
  const answer = isFile ? undefined : answerExample(responses['200']?.content?.['application/json']?.schema, known)
  return [
    `## ${summary}`,
    `\`${method} ${path}\``,
    ...(description ? [description] : []),
    ...(parameters.length > 0 ? [parameterTable(call)] : []),
    (isFile ? savingExamplesOf : examplesOf)(addressOf(call, asker), asker),
    ...(answer ? [words.answer, block('json', JSON.stringify(answer, null, 2))] : []),
  ].join('\n\n')
}

/** What stands in the address comes first. */
function parameterTable({ operation: { parameters = [] } }: Call): string {
  const rows = parameters
    .toSorted((one, other) => Number(other.in === 'path') - Number(one.in === 'path'))
    .map((one) => `| \`${one.name}\` | ${one.in} | ${one.description ?? wordsOf(one)} |`)
  return ['| Parameter | In | What it says |', '|---|---|---|', ...rows].join('\n')
}

/** Of values that can be counted, which they are. */
function wordsOf({ name, schema }: Parameter): string {
  const said = parameterWords[name] ?? ''
  const { enum: values } = parameterSchema.catch({}).parse(schema)
  return values ? `${said}: ${values.map((value) => `\`${value}\``).join(', ')}` : said
}

const parameterSchema = z.object({ enum: z.array(z.string()).optional() })

/** What anyone may know of a dataset, so that examples show it and not just any. */
async function findKnown(slug: string): Promise<Known> {
  const product = (await listProducts(undefined)).find((one) => one.slug === slug)
  const { sampleData = null, ...values } = product ?? {}
  const [row = {}] = readSample(sampleData)
  return { values: { ...values, access: 'granted', nextCursor: null, version: 2, since: 1 }, row }
}

function aboutFiles({ site, slug, key }: Asker): string {
  const commands = downloadCommands.map(({ write }) =>
    block('bash', write({ site, slug, format: 'csv', name: `${slug}.csv`, key: `$${key}` })),
  )
  return [`## ${words.files.title}`, words.files.text, ...commands].join('\n\n')
}

/** What holds for rows wherever they are read. */
function aboutRows({ site, slug, key }: Asker): string {
  return [
    `## ${words.filters.title}`,
    words.filters.text,
    ['| Operator | Meaning |', '|---|---|', ...filterOperators.map((name) => `| \`${name}\` | ${words.filters.operators[name]} |`)].join(
      '\n',
    ),
    ...words.sections.flatMap(({ title, text }) => [`## ${title}`, ...text]),
    `## ${words.formats.title}`,
    words.formats.text,
    block(
      'bash',
      `curl "${site}${ROWS.replace('{slug}', slug)}?limit=1000" \\\n  --header "Authorization: Bearer $${key}" \\\n  --header "Accept: text/csv" \\\n  --output ${slug}.csv`,
    ),
  ].join('\n\n')
}

function ending({ slug }: Asker): string {
  const errors = errorRows.map(([status, code, why]) => `| ${status} | ${code && `\`${code}\``} | ${why} |`)
  return [
    `## ${words.errors.title}`,
    words.errors.text,
    ['| Status | `code` | Why, and what helps |', '|---|---|---|', ...errors].join('\n'),
    `## ${words.more.title}`,
    `${words.more.text} [openapi.json](/api/openapi.json). ${words.more.sql} [${MARKETPLACE}/${slug}/query](${MARKETPLACE}/${slug}/query).`,
  ].join('\n\n')
}
