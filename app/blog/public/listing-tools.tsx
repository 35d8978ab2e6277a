import { Form } from 'react-router'
import { blogWords } from '#app/content/blog.ts'
import { refuseSearch, SEARCH_MOST } from '#app/platform/text/search-text.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { FilterLink } from '#app/ui/filter-link.tsx'
import { Input } from '#app/ui/input.tsx'
import { type Listing, listingPath } from './listing.ts'

const { search } = blogWords
/** More tags than this are hard to choose from; posts link to the rest. */
const MOST_TAGS = 16

type ListingToolsProps = { listing: Listing; tags: readonly { tag: string; posts: number }[] }

/** A search form, which works without script, and the most frequent tags. */
export function ListingTools({ listing, tags }: ListingToolsProps) {
  const { tag, q } = listing
  const shown = tags.slice(0, MOST_TAGS)
  const topics = tag && !shown.some((topic) => topic.tag === tag) ? [...shown, { tag, posts: 0 }] : shown
  return (
    <div className="mb-10 grid grid-cols-1 gap-4 border-y border-line py-4 sm:gap-6 sm:py-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-end print:hidden">
      {topics.length > 0 && (
        <nav aria-label={blogWords.tags}>
          <ul className="tool-line">
            <FilterLink to={listingPath({ q })} name={blogWords.allTags} isChosen={!tag} />
            {topics.map((topic) => (
              <FilterLink key={topic.tag} to={listingPath({ q, tag: topic.tag })} name={topic.tag} isChosen={topic.tag === tag} />
            ))}
          </ul>
        </nav>
      )}
      <search className="lg:col-start-2">
        <Form action="/blog" className="flex items-end gap-2">
          {tag && <input type="hidden" name="tag" value={tag} />}
          <div className="min-w-0 grow">
            <Field label={search.label} name="q" error={refuseSearch(q)}>
              <Input key={q} type="search" defaultValue={q} placeholder={search.placeholder} most={SEARCH_MOST} enterKeyHint="search" />
            </Field>
          </div>
          <Button type="submit" look="quiet">
            {search.send}
          </Button>
        </Form>
      </search>
    </div>
  )
}
