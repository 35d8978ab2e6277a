import { Form, Link } from 'react-router'
import { blogWords } from '#app/content/blog.ts'
import { Button } from '#app/ui/button.tsx'
import { cx } from '#app/ui/class-names.ts'
import { Field } from '#app/ui/field.tsx'
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
    <div className="mb-10 grid gap-6 border-y border-line py-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-end print:hidden">
      {topics.length > 0 && (
        <nav aria-label={blogWords.tags}>
          <ul className="flex flex-wrap gap-2">
            <Topic to={listingPath({ q })} name={blogWords.allTags} isChosen={!tag} />
            {topics.map((topic) => (
              <Topic key={topic.tag} to={listingPath({ q, tag: topic.tag })} name={topic.tag} isChosen={topic.tag === tag} />
            ))}
          </ul>
        </nav>
      )}
      <search className="lg:col-start-2">
        <Form action="/blog" className="flex items-end gap-2">
          {tag && <input type="hidden" name="tag" value={tag} />}
          <div className="min-w-0 grow">
            <Field label={search.label} name="q">
              <Input key={q} type="search" defaultValue={q} placeholder={search.placeholder} maxLength={100} enterKeyHint="search" />
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

function Topic({ to, name, isChosen }: { to: string; name: string; isChosen: boolean }) {
  return (
    <li className="max-w-full">
      <Link
        to={to}
        aria-current={isChosen ? 'true' : undefined}
        className={cx(
          'inline-flex min-h-9 max-w-full items-center rounded-full border px-3.5 font-mono text-fine wrap-anywhere pointer-coarse:min-h-11',
          isChosen ? 'border-transparent bg-ink text-paper' : 'border-line bg-surface text-ink hover:border-edge',
        )}
      >
        {name}
      </Link>
    </li>
  )
}
