import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { filterOperators } from '#app/datasets/catalog/column.ts'
import type { DatasetVisitor } from '#app/datasets/catalog/access.server.ts'
import { downloadCommands } from '#app/datasets/catalog/download-command.ts'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import type { RenderedMarkdown } from '#app/blog/markdown/rendering.server.ts'
import { renderInThread } from '#app/blog/markdown/rendering-thread.server.ts'
import { env } from '#app/platform/env.server.ts'
import { identity } from '#app/content/identity.ts'
import { findAnswers, listForDocs } from './answers.server.ts'
import { block, type Call, type CodeExample, exampleQuery, type ExampleCaller, listCodeExamples } from './code-example.ts'
import { findDescription } from './description.server.ts'
import type { Parameter } from './operation.ts'
import { changelog, errorRows, pageSizes, parameterWords, referenceWords } from './reference-words.ts'

/** The dataset whose examples the reader sees, and those to choose from. */
export type DocsChoice = { slug: string; name: string; isChosen: boolean; datasets: { slug: string; name: string }[] }

/** An endpoint in the documentation. Texts and code are HTML from our own Markdown. */
export type DocsEndpoint = {
  id: string
  method: string
  path: string
  title: string
  description: string
  pageSize: string
  parameters: { name: string; in: string; text: string }[]
  code: { language: CodeExample['language']; html: string }[]
  answer: string | undefined
  /** The example as a form: its path, and its query parameters with the values of the example. */
  attempt: { path: string; isFile: boolean; fields: { name: string; value: string }[] }
}

const PLACE = '/api/v1/'
const ROWS = `${PLACE}datasets/{slug}/rows`
/** A placeholder while there is no dataset. */
const ANY = 'your-dataset'

/** Returns undefined when no dataset with an API has that slug. */
export async function findDocsChoice(slug: string | undefined, person: DatasetVisitor | undefined): Promise<DocsChoice | undefined> {
  const { products, own } = await listForDocs(person)
  const chosen = slug === undefined ? own : products.find((product) => product.slug === slug)
  if (slug !== undefined && !chosen) return undefined
  const datasets = products.map((product) => ({ slug: product.slug, name: product.name }))
  return { slug: chosen?.slug ?? ANY, name: chosen?.name ?? 'a dataset', isChosen: slug !== undefined, datasets }
}

/** Every endpoint of the Data API, from the description of the endpoints, with the responses for one dataset. */
export async function listDocsEndpoints({ slug }: DocsChoice, person: DatasetVisitor | undefined): Promise<DocsEndpoint[]> {
  const [calls, answers] = await Promise.all([listCalls(), findAnswers(slug, person)])
  const caller = callerFor(slug)
  const written = calls.map((call) => ({ call, examples: listCodeExamples(call, caller), answer: answers.get(call.path) }))
  const pieces = await renderPieces(
    written.flatMap(({ call: { path, operation }, examples, answer }) => [
      operation.description ?? '',
      pageSizes[path] ?? '',
      ...(operation.parameters ?? []).map((one) => one.description ?? wordsOf(one)),
      ...examples.map(({ language, code }) => block(language, code)),
      answer === undefined ? '' : block('json', JSON.stringify(answer, null, 2)),
    ]),
  )
  const next = () => pieces.shift() ?? ''
  return written.map(({ call, examples }) => {
    const { method, path, operation } = call
    return {
      id: path.replaceAll(/[{}]/g, '').replaceAll('/', '-').slice(PLACE.length),
      method,
      path,
      title: operation.summary ?? path,
      description: next(),
      pageSize: next(),
      parameters: (operation.parameters ?? []).map((one) => ({ name: one.name, in: one.in, text: next() })),
      code: examples.map(({ language }) => ({ language, html: next() })),
      answer: next() || undefined,
      attempt: {
        path: path.replaceAll(/\{\w+\}/g, slug),
        isFile: path.endsWith('/download'),
        fields: (operation.parameters ?? [])
          .filter(({ in: place }) => place === 'query')
          .map(({ name }) => ({ name, value: new URLSearchParams(exampleQuery(path)).get(name) ?? '' })),
      },
    }
  })
}

/** The first steps as HTML: access, key, and the first request. */
export async function renderStart({ slug, name }: DocsChoice): Promise<{ steps: string; first: DocsEndpoint['code']; care: string }> {
  const caller = callerFor(slug)
  const { start, key, first } = referenceWords
  const calls = await listCalls()
  const rows = calls.find(({ path }) => path === ROWS)
  const examples = rows ? listCodeExamples(rows, caller) : []
  const [steps = '', care = '', ...code] = await renderPieces([
    [
      `## ${start.title}`,
      ...start.steps.map((step, index) => `${index + 1}. ${step}`),
      `## ${key.title}`,
      key.text,
      block('bash', `export ${caller.key}="wn_..."`),
      `## ${first.title}`,
      first.text.replace('{name}', escaped(name)),
    ].join('\n\n'),
    key.care,
    ...examples.map(({ language, code: text }) => block(language, text)),
  ])
  return { steps, care, first: examples.map(({ language }, at) => ({ language, html: code[at] ?? '' })) }
}

/** A page of text as HTML. */
export async function renderDocs(page: 'guide' | 'errors' | 'changelog', { slug }: DocsChoice): Promise<string> {
  const caller = callerFor(slug)
  const texts = { guide: () => guideText(caller), errors: errorsText, changelog: changelogText }
  return (await rendered(texts[page]())).html
}

function callerFor(slug: string): ExampleCaller {
  return { site: env.SITE_URL, slug, key: `${identity.name.toUpperCase().replaceAll(/\W/g, '_')}_KEY` }
}

/** Path parameters come first. */
async function listCalls(): Promise<Call[]> {
  const { paths } = await findDescription()
  return Object.entries(paths)
    .filter(([path]) => path.startsWith(PLACE))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => {
        const parameters = operation.parameters?.toSorted((one, other) => Number(other.in === 'path') - Number(one.in === 'path'))
        return { method: method.toUpperCase(), path, operation: { ...operation, ...(parameters && { parameters }) } }
      }),
    )
}

/** Lists the values of an enumeration. */
function wordsOf({ name, schema }: Parameter): string {
  const said = parameterWords[name] ?? ''
  const { enum: values } = parameterSchema.catch({}).parse(schema)
  return values ? `${said}: ${values.map((value) => `\`${value}\``).join(', ')}` : said
}

const parameterSchema = z.object({ enum: z.array(z.string()).optional() })

function guideText({ site, slug, key }: ExampleCaller): string {
  const { filters, sections, formats, files, more } = referenceWords
  return [
    `## ${filters.title}`,
    filters.text,
    ['| Operator | Meaning |', '|---|---|', ...filterOperators.map((name) => `| \`${name}\` | ${filters.operators[name]} |`)].join('\n'),
    ...sections.flatMap(({ title, text }) => [`## ${title}`, ...text]),
    `## ${formats.title}`,
    formats.text,
    block(
      'bash',
      `curl "${site}${ROWS.replace('{slug}', slug)}?limit=1000" \\\n  --header "Authorization: Bearer $${key}" \\\n  --header "Accept: text/csv" \\\n  --output ${slug}.csv`,
    ),
    `## ${files.title}`,
    files.text,
    ...downloadCommands.map(({ write }) => block('bash', write({ site, slug, format: 'csv', name: `${slug}.csv`, key: `$${key}` }))),
    `${more.text} [openapi.json](/api/openapi.json). ${more.sql} [${MARKETPLACE}/${slug}/query](${MARKETPLACE}/${slug}/query).`,
  ].join('\n\n')
}

function errorsText(): string {
  const errors = errorRows.map(([status, code, why]) => `| ${status} | ${code && `\`${code}\``} | ${why} |`)
  return [referenceWords.errors.text, ['| Status | `code` | Cause and remedy |', '|---|---|---|', ...errors].join('\n')].join('\n\n')
}

function changelogText(): string {
  return changelog.map(({ day, changes }) => [`## ${day}`, ...changes.map((change) => `- ${change}`)].join('\n\n')).join('\n\n')
}

/** No text of ours has a rule, so rules separate the pieces of one rendering. */
async function renderPieces(texts: readonly string[]): Promise<string[]> {
  const { html } = await rendered(texts.join('\n\n---\n\n'))
  const pieces = html.split(/<hr\s*\/?>/).map((piece) => piece.trim())
  if (pieces.length !== texts.length) throw new Error('A text of the reference has a rule.')
  return pieces
}

/** Cached by text: code highlighting takes most of the time. */
const known = new LRUCache<string, Promise<RenderedMarkdown>>({ max: 60 })

function rendered(text: string): Promise<RenderedMarkdown> {
  const found = known.get(text)
  if (found) return found
  const made = renderInThread(text, { site: env.SITE_URL, pictures: new Map() })
  known.set(text, made)
  made.catch(() => known.delete(text))
  return made
}

/** A name of a dataset as text of Markdown. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+.!|<>~-]/g, String.raw`\$&`)
}
