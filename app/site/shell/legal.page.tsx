import type { Handle } from '#app/access.server.ts'
import type { LoaderFunctionArgs, MetaFunction } from 'react-router'
import { stop } from '#app/platform/errors/stop.ts'
import { isLegalName, legalDocuments, legalWords } from '#app/content/legal.ts'
import { headOf } from '#app/content/seo.ts'
import { LegalChanges } from './legal-changes.tsx'
import type { LegalText } from './legal.server.ts'

/** The page of all legal texts; the last segment of the URL names the text. */
export async function loader({ request }: LoaderFunctionArgs) {
  const name = new URL(request.url).pathname.replaceAll('/', '')
  if (!isLegalName(name)) return stop('notFound', legalWords.unknown)
  // Only these pages need the parser.
  const { legalText } = await import('./legal.server.ts')
  return { name, text: await legalText(name) }
}

export const handle = { access: 'public', cache: true } satisfies Handle

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => (loaderData ? headOf(`/${loaderData.name}`) : [])

export default function LegalPage({ loaderData: { name, text } }: { loaderData: Awaited<ReturnType<typeof loader>> }) {
  const { title, updated, changes } = legalDocuments[name]
  return (
    <div className="wrap grid gap-x-16 gap-y-10 py-14 sm:py-20 lg:grid-cols-12 lg:py-24">
      <header className="grid content-start gap-4 lg:col-span-12">
        <h1>{title}</h1>
        <p className="font-mono text-small text-muted">
          {legalWords.updated}: {updated}
        </p>
      </header>
      <Contents sections={text.sections} />
      <div className="min-w-0 lg:col-span-8 lg:col-start-1 lg:row-start-2">
        {/* Our own Markdown, rendered on the server. */}
        <div className="prose" dangerouslySetInnerHTML={{ __html: text.html }} />
        {changes.length > 0 && <LegalChanges changes={changes} />}
      </div>
    </div>
  )
}

function Contents({ sections }: Pick<LegalText, 'sections'>) {
  return (
    <nav aria-label={legalWords.contents} className="lg:sticky lg:top-24 lg:col-span-4 lg:col-start-9 lg:self-start print:hidden">
      <ol className="grid border-l border-line">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`} className="flex min-h-9 items-center py-1 pl-4 text-small text-muted hover:text-ink pointer-coarse:min-h-11">
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}
