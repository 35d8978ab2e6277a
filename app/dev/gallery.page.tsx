import { isLocalInstallation } from '#app/platform/env.server.ts'
import type { Handle } from '#app/platform/browser/hydration.ts'
import { stop } from '#app/platform/stop.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { Page } from '#app/ui/page.tsx'
import { pageMeta } from '#app/content/page-meta.ts'
import { Buttons, Cells, Fields } from './controls.tsx'
import { Badges, Colours, Type } from './look.tsx'
import { Overlays } from './overlays.tsx'
import { Answers, States } from './states.tsx'
import { TableExamples } from './table.tsx'
import type { Route } from './+types/gallery.page.ts'

export const handle = { hydration: 'page' } satisfies Handle

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
        <TableExamples />
        <States />
        <Answers />
        <Overlays />
      </div>
    </Page>
  )
}
