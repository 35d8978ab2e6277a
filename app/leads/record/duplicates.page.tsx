import { Link } from 'react-router'
import type { Handle } from '#app/access.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { duplicatesUrl, possibleDuplicates } from '#app/leads/lead/duplicate.ts'
import { LeadsLink } from '#app/leads/list/leads-link.tsx'
import { useLiveDesk } from '#app/leads/list/use-desk.tsx'
import { apiQuery } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Page } from '#app/ui/page.tsx'
import { RowsSkeleton } from '#app/ui/skeleton.tsx'
import { DuplicateList } from './duplicate-list.tsx'

export const handle = { access: 'leads.read' } satisfies Handle

export const meta = () => pageMeta({ title: 'Duplicates', index: false })

export default function DuplicatesPage() {
  return (
    <Page
      kind="work"
      eyebrow={<LeadsLink />}
      title="Duplicates"
      intro="People with the same phone number, the same name and company, or one address with and without a tag."
    >
      <Duplicates />
    </Page>
  )
}

function Duplicates() {
  const list = usePageQuery(apiQuery(duplicatesUrl(), possibleDuplicates))
  useLiveDesk()
  if (list.isPending) {
    return (
      <div>
        <Loading>Loading duplicates...</Loading>
        <RowsSkeleton />
      </div>
    )
  }
  if (list.isError) return <Failed as="h2" error={list.error} retry={list.refetch} />
  const { pairs, hasMore } = list.data
  if (pairs.length === 0) {
    return (
      <Empty
        title="No duplicates"
        action={
          <Link to="/leads" className={buttonLook('quiet')}>
            Show leads
          </Link>
        }
      >
        <p>People who may be the same appear here.</p>
      </Empty>
    )
  }
  return (
    <div className="@container grid max-w-3xl grid-cols-1 gap-3">
      <DuplicateList label="Possible duplicates" pairs={pairs} />
      {hasMore && <p className="text-small text-muted">More appear once these are settled.</p>}
    </div>
  )
}
