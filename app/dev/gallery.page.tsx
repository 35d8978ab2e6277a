import type { Handle } from '#app/access.server.ts'
import { isLocalInstallation } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { Page } from '#app/ui/page.tsx'
import { pageMeta } from '#app/content/page-meta.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Cell, HeadCell, Table, TableRow } from '#app/ui/table.tsx'
import { Tabs } from '#app/ui/tabs.tsx'
import { extractions } from '#app/content/extraction.ts'
import { Button } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { QuestionList } from '#app/ui/questions.tsx'
import { PendingBar } from '#app/ui/pending-bar.tsx'
import { Progress } from '#app/ui/progress.tsx'
import { SectionNav } from '#app/ui/section-nav.tsx'
import { CardsSkeleton, RowsSkeleton, Skeleton } from '#app/ui/skeleton.tsx'
import { Buttons, Cells, Fields } from './controls.tsx'
import { Badges, Colours, Sections, Type } from './look.tsx'
import { Overlays } from './overlays.tsx'
import type { Route } from './+types/gallery.page.ts'
import { GallerySection } from './gallery-section.tsx'
import { LaterParts } from './later-parts.tsx'

export const handle = { access: 'public', hydration: 'page' } satisfies Handle

export const meta = () => pageMeta({ title: 'Gallery', index: false })

/** For developers, on their own machine: every component in every state. A reachable installation does not have this page. */
export function loader({ context }: Route.LoaderArgs) {
  if (!isLocalInstallation || !requestContextOf(context).isLocal) stop('notFound', 'There is nothing at this address.')
  return null
}

export default function GalleryPage() {
  return (
    <Page
      kind="work"
      title="Gallery"
      eyebrow="app/ui"
      intro="Every component in every state. Look at it in both themes, at 360 and at 1440 pixels."
    >
      <div className="grid grid-cols-1 gap-16">
        <Colours />
        <Type />
        <Buttons />
        <Fields />
        <Cells />
        <Badges />
        <Sections />
        <TableExamples />
        <States />
        <Answers />
        <Overlays />
        <LaterParts />
      </div>
    </Page>
  )
}

function TableExamples() {
  const tabs = [
    { value: 'all', label: 'All products', count: extractions.length, content: <Products /> },
    { value: 'none', label: 'Rejected', count: 0, content: <p className="text-muted">No row was rejected.</p> },
  ]
  return (
    <GallerySection title="Tabs and tables">
      <Tabs label="Products" tabs={tabs} />
      <SectionNav
        label="Sections"
        places={[
          { to: '#business', label: 'Business', note: 'draft', isCurrent: true },
          { to: '#services', label: 'Services', isCurrent: false },
        ]}
      />
    </GallerySection>
  )
}

function Products() {
  return (
    <Table caption="Products read this morning">
      <thead>
        <tr>
          <HeadCell>Product</HeadCell>
          <HeadCell>State</HeadCell>
          <HeadCell kind="number">Price</HeadCell>
          <HeadCell kind="number">Change</HeadCell>
          <HeadCell kind="data">Read at</HeadCell>
        </tr>
      </thead>
      <tbody>
        {extractions.map(({ row }) => (
          <TableRow key={row.product} lit={row.change.startsWith('−')}>
            <Cell className="font-medium">{row.product}</Cell>
            <Cell>{row.stock === '0' ? <Badge look="alarm">Sold out</Badge> : <Badge look="leaf">In stock</Badge>}</Cell>
            <Cell kind="number">
              {row.price} {row.currency}
            </Cell>
            <Cell kind="number">{row.change}</Cell>
            <Cell kind="data">2026-11-20 06:00</Cell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  )
}

const nothing = () => undefined

function States() {
  return (
    <GallerySection title="Waiting, failing, empty">
      <div className="grid gap-8 md:grid-cols-2">
        <div>
          <Loading>Loading dashboard...</Loading>
          <Skeleton lines={5} />
        </div>
        <RowsSkeleton rows={4} />
        <CardsSkeleton cards={3} />
        <div className="grid content-start gap-4">
          <Progress label="Upload" value={3} max={8}>
            <span>3 of 8 MB</span>
          </Progress>
          <PendingBar isOn={false} />
        </div>
        <div className="grid content-start gap-4">
          <Failed error={new Error('503: unavailable')} retry={nothing} />
          <Failed title="The figures did not load" error={Object.assign(new Error('403'), { detail: 'These figures are for staff.' })} />
        </div>
      </div>
      <Empty title="No enquiries yet" action={<Button type="button">Write a test enquiry</Button>}>
        Enquiries from the contact form appear here the moment they are sent.
      </Empty>
      <Empty title="Nothing was rejected">Rows that break one of your rules appear here.</Empty>
    </GallerySection>
  )
}

const questions = [
  { id: 'gallery-cost', question: 'What does it cost?', answer: ['A fixed price for each source, named before we begin.'] },
  {
    id: 'gallery-change',
    question: 'What if a site changes?',
    answer: ['We notice, because each run is checked.', 'The repair is part of the price.'],
  },
]

function Answers() {
  return (
    <GallerySection title="Questions">
      <QuestionList name="gallery" questions={questions} />
    </GallerySection>
  )
}
