import type { Handle } from '#app/access.server.ts'
import { data, Form, Link, type MetaDescriptor, redirect } from 'react-router'
import { findMember } from '#app/organizations/organization/membership.server.ts'
import { catalogWords } from '#app/content/datasets.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { heads } from '#app/content/seo.ts'
import {
  CATALOG,
  canonicalCatalogPath,
  type PublicChoice,
  publicCatalogPath,
  publicOrders,
  readPublicChoice,
} from '#app/datasets/catalog/public-catalog.ts'
import { listPublicCatalog, type PublicCatalog } from '#app/datasets/catalog/public-catalog.server.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { refuseSearch, SEARCH_MOST } from '#app/platform/text/search-text.ts'
import { countOf } from '#app/ui/amount.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Button } from '#app/ui/button.tsx'
import { ClosingCall } from '#app/ui/closing-call.tsx'
import { FilterLink } from '#app/ui/filter-link.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { Page } from '#app/ui/page.tsx'
import { catalogData } from './dataset-data.server.ts'
import { DatasetCard } from './dataset-card.tsx'
import type { Route } from './+types/datasets.page.ts'

export async function loader({ request, context }: Route.LoaderArgs) {
  const url = new URL(request.url)
  const canonical = canonicalCatalogPath(url)
  if (canonical) throw redirect(canonical, 301)
  const choice = readPublicChoice(url.searchParams)
  const currentUser = await findMember(requestContextOf(context))
  const isTooLong = refuseSearch(choice.q) !== undefined
  const listed = await listPublicCatalog(isTooLong ? { ...choice, q: '' } : choice, currentUser)
  const found = isTooLong ? { ...listed, entries: [], total: 0, pages: 1 } : listed
  // An unknown category or page is a 404, so it is not cached: otherwise anyone could fill the cache with invented addresses.
  const isNothing = found.entries.length === 0 && (choice.category !== undefined || choice.page > 1)
  const structured = isNothing ? [] : catalogData(found.entries)
  return data({ ...found, choice, isSignedIn: currentUser !== undefined, structured }, isNothing ? 404 : 200)
}

/** Searches are not cached, because their number is unlimited. */
export const handle = { access: 'public', cache: { tags: ['datasets'], query: ['category', 'sort', 'page'] } } satisfies Handle

export function meta({ loaderData }: Route.MetaArgs): MetaDescriptor[] {
  if (!loaderData) return []
  const { choice, pages, entries, structured } = loaderData
  const { category, q, page, sort } = choice
  const title = [
    category ? `${category} ${heads[CATALOG].title.toLowerCase()}` : heads[CATALOG].title,
    ...(page > 1 ? [`page ${page}`] : []),
  ]
  const turn = (rel: 'prev' | 'next', to: number) => ({ tagName: 'link', rel, href: publicCatalogPath({ ...choice, page: to }) })
  return [
    ...pageMeta({ ...heads[CATALOG], title: title.join(', '), index: q === '' && sort === 'recommended' && entries.length > 0 }),
    ...(page > 1 ? [turn('prev', page - 1)] : []),
    ...(page < pages ? [turn('next', page + 1)] : []),
    ...structured.map((block) => ({ 'script:ld+json': block })),
  ]
}

export default function DatasetsPage({ loaderData }: Route.ComponentProps) {
  const { entries, pages, total, categories, choice, isSignedIn } = loaderData
  const isNarrowed = choice.category !== undefined || choice.q !== '' || choice.page > 1
  return (
    <Page title={catalogWords.title} eyebrow={catalogWords.eyebrow} intro={catalogWords.introduction}>
      {(total > 0 || isNarrowed) && <CatalogTools choice={choice} categories={categories} />}
      {entries.length === 0 &&
        (isNarrowed ? (
          !refuseSearch(choice.q) && <NothingFound />
        ) : (
          <Empty title={catalogWords.empty.title}>{catalogWords.empty.text}</Empty>
        ))}
      {entries.length > 0 && <p className="mb-4 font-mono text-fine text-muted tabular-nums">{totalInWords(total, choice)}</p>}
      <ul className="grid grid-cols-1 gap-6 md:grid-cols-2 lg:grid-cols-3">
        {entries.map((entry) => (
          <DatasetCard key={entry.slug} entry={entry} isSignedIn={isSignedIn} />
        ))}
      </ul>
      <CatalogPages choice={choice} pages={pages} />
      <ClosingCall {...catalogWords.closing} className="mt-16" />
    </Page>
  )
}

function totalInWords(total: number, { category, q }: PublicChoice): string {
  const counted = countOf(total, 'dataset', 'datasets')
  return `${counted}${category ? ` in ${category}` : ''}${q ? ` with “${q}”` : ''}`
}

/** A search form, which works without script, and the categories as links. */
function CatalogTools({ choice, categories }: { choice: PublicChoice; categories: PublicCatalog['categories'] }) {
  const { category, q, sort } = choice
  const all = categories.reduce((sum, { datasets }) => sum + datasets, 0)
  return (
    <div className="mb-8 grid grid-cols-1 gap-4 border-y border-line py-4 sm:gap-6 sm:py-6 print:hidden">
      <search>
        <Form action={CATALOG} className="flex flex-wrap items-end gap-3 max-sm:[&_.tool]:sr-only">
          {category && <input type="hidden" name="category" value={category} />}
          <div className="min-w-0 grow basis-64 max-sm:basis-full">
            <Field label={catalogWords.search.label} name="q" tool error={refuseSearch(q)}>
              <Input
                key={q}
                type="search"
                defaultValue={q}
                placeholder={catalogWords.search.placeholder}
                most={SEARCH_MOST}
                enterKeyHint="search"
              />
            </Field>
          </div>
          <div className="min-w-40 max-sm:grow">
            <Field label={catalogWords.search.sort} name="sort" tool>
              <Select key={sort} defaultValue={sort}>
                {Object.entries(publicOrders).map(([order, label]) => (
                  <option key={order} value={order}>
                    {label}
                  </option>
                ))}
              </Select>
            </Field>
          </div>
          <Button type="submit" look="quiet">
            {catalogWords.search.send}
          </Button>
        </Form>
      </search>
      <nav aria-label={catalogWords.categories}>
        <ul className="tool-line">
          <FilterLink to={publicCatalogPath({ q, sort })} name={catalogWords.allCategories} count={all} isChosen={!category} />
          {categories.map((one) => (
            <FilterLink
              key={one.category}
              to={publicCatalogPath({ q, sort, category: one.category })}
              name={one.category}
              count={one.datasets}
              isChosen={one.category === category}
            />
          ))}
        </ul>
      </nav>
    </div>
  )
}

function NothingFound() {
  const { title, text, all } = catalogWords.nothingFound
  return (
    <Empty title={title} action={<ButtonLink to={CATALOG}>{all}</ButtonLink>}>
      {text}
    </Empty>
  )
}

function CatalogPages({ choice, pages }: { choice: PublicChoice; pages: number }) {
  const { page } = choice
  if (pages < 2) return null
  return (
    <nav aria-label={catalogWords.pages.label} className="mt-10 flex flex-wrap items-center justify-between gap-3 print:hidden">
      <p className="font-mono text-fine text-muted">
        Page {page} of {pages}
      </p>
      <div className="flex flex-wrap gap-2">
        {page > 1 && (
          <Link rel="prev" to={publicCatalogPath({ ...choice, page: page - 1 })} className={buttonLook('quiet')}>
            {catalogWords.pages.previous}
          </Link>
        )}
        {page < pages && (
          <Link rel="next" to={publicCatalogPath({ ...choice, page: page + 1 })} className={buttonLook('quiet')}>
            {catalogWords.pages.next}
          </Link>
        )}
      </div>
    </nav>
  )
}
