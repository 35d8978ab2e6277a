import { useLocation, useNavigation } from 'react-router'
import { cx } from '#app/ui/class-names.ts'
import { Loading } from '#app/ui/loading.tsx'
import { Page } from '#app/ui/page.tsx'
import { PendingBar, useSlow } from '#app/ui/pending-bar.tsx'
import { CardsSkeleton, RowsSkeleton, Skeleton } from '#app/ui/skeleton.tsx'
import { pendingAt } from '#app/content/navigation.ts'

/**
 * In a live page the code and the data of the next page are fetched before it replaces this one. A moment after a link was followed, a bar
 * and the shape of the next page say so. This page is only hidden, so a person who turns back finds it unchanged.
 */
export function UntilNextPage({ children }: { children: React.ReactNode }) {
  const navigation = useNavigation()
  const { pathname } = useLocation()
  const to = navigation.location?.pathname
  // A form keeps its page until the response is known.
  const isLeaving = to !== undefined && to !== pathname && navigation.formMethod === undefined
  const isSlow = useSlow(isLeaving)
  // The document stays inert below an open dialog, so its page is not hidden.
  const pending = isSlow && to !== undefined && !hasModal() ? pendingAt(to) : undefined
  return (
    <>
      <PendingBar isOn={navigation.state !== 'idle'} />
      {pending && (
        <Page kind="work" title={pending.heading ?? <TitleSkeleton />}>
          <Loading>{pending.loading}</Loading>
          {pending.shape === 'rows' && <RowsSkeleton rows={16} />}
          {pending.shape === 'cards' && <CardsSkeleton />}
          {pending.shape === 'lines' && <Skeleton lines={10} />}
          {pending.shape === 'panels' && <PanelsSkeleton />}
        </Page>
      )}
      <div className={cx(pending ? 'hidden' : 'contents')}>{children}</div>
    </>
  )
}

/** Runs in the browser, where alone a page can be slow. */
function hasModal(): boolean {
  return document.querySelector('dialog:modal') !== null
}

/** The heading depends on the person. */
function TitleSkeleton() {
  return (
    <>
      <span className="sr-only">Loading</span>
      <span aria-hidden="true" className="block h-7 w-56 animate-pulse rounded-control bg-line" />
    </>
  )
}

/** Four figures, and below them a list. */
function PanelsSkeleton() {
  return (
    <div className="grid gap-4">
      <div aria-hidden="true" className="grid animate-pulse grid-cols-2 gap-4 lg:grid-cols-4">
        {[1, 2, 3, 4].map((panel) => (
          <div key={panel} className="grid content-start gap-3 rounded-card border border-line bg-surface p-4">
            <div className="h-3 w-1/2 rounded-control bg-line" />
            <div className="h-6 w-1/3 rounded-control bg-line" />
          </div>
        ))}
      </div>
      <RowsSkeleton rows={12} />
    </div>
  )
}
