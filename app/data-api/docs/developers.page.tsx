import { data, Link } from 'react-router'
import { Behaviour } from '#app/platform/islands/behaviour.tsx'
import type { Handle } from '#app/platform/browser/hydration.ts'
import { cx } from '#app/ui/class-names.ts'
import { headOf } from '#app/content/seo.ts'
import { Page } from '#app/ui/page.tsx'
import { copyCode } from './copy-code.island.ts'
import { findReference, type Reference } from './reference.server.ts'
import { referenceWords } from './reference-words.ts'
import type { Route } from './+types/developers.page.ts'

export async function loader({ request }: Route.LoaderArgs) {
  const asked = new URL(request.url).searchParams.get('dataset') ?? undefined
  const found = await findReference(asked)
  // An unknown dataset gives a 404 that is not cached: strangers could invent any number of them.
  return found ? { reference: found } : data({ reference: await findReference(undefined) }, 404)
}

export const handle = { hydration: 'islands', cache: { tags: ['datasets'], query: ['dataset'] } } satisfies Handle

export const meta = () => headOf('/developers')

export default function DevelopersPage({ loaderData: { reference } }: Route.ComponentProps) {
  if (!reference) return null
  return (
    <Page title={referenceWords.title} eyebrow="/api/v1" intro={referenceWords.introduction}>
      <Choice reference={reference} />
      <div className="grid gap-x-16 gap-y-10 lg:grid-cols-12">
        <Contents headings={reference.headings} />
        <Behaviour of={copyCode} on="idle" className="min-w-0 lg:col-span-8 lg:col-start-1 lg:row-start-1">
          {/* Our own Markdown, rendered on the server. */}
          <div
            data-copy={referenceWords.copy.button}
            data-copied={referenceWords.copy.done}
            data-failed={referenceWords.copy.failed}
            className="prose post min-w-0"
            dangerouslySetInnerHTML={{ __html: reference.html }}
          />
        </Behaviour>
      </div>
    </Page>
  )
}

/** The dataset of the examples. Plain links, so each one can be shared. */
function Choice({ reference: { datasets, slug } }: { reference: Reference }) {
  if (datasets.length < 2) return null
  return (
    <nav aria-labelledby="choose" className="mb-10 grid gap-3">
      <p id="choose" className="eyebrow tracking-normal">
        {referenceWords.choose}
      </p>
      <ul className="flex flex-wrap gap-2">
        {datasets.map((dataset) => (
          <li key={dataset.slug}>
            <Link
              to={`/developers?dataset=${dataset.slug}`}
              aria-current={dataset.slug === slug ? 'true' : undefined}
              className={cx(
                'inline-flex min-h-11 items-center rounded-full border px-4 text-small font-medium',
                dataset.slug === slug ? 'border-transparent bg-grain-wash text-grain-text' : 'border-edge text-ink hover:border-ink',
              )}
            >
              {dataset.name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Contents({ headings }: Pick<Reference, 'headings'>) {
  return (
    <nav aria-label="Contents" className="lg:sticky lg:top-24 lg:col-span-4 lg:col-start-9 lg:row-start-1 lg:self-start print:hidden">
      <ol className="grid border-l border-line">
        {headings.map(({ id, title }) => (
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
