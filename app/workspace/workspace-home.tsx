import { useQuery } from '@tanstack/react-query'
import type { Notices } from '#app/account/session/notices.ts'
import { Workspace } from '#app/account/session/workspace.tsx'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Page } from '#app/ui/page.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { LiveFigures } from './live-figures.tsx'
import { customerPanels, type Panel, staffPanels } from './panels.ts'
import { workspaceHome } from './workspace.ts'

/** The greeting's data, sent with the page. */
export type Greeted = { firstName: string | undefined; email: string; isStaff: boolean; notices: Notices }

/** The home page of signed-in users: open tasks, recent changes, and links to every area. */
export function WorkspaceHome({ greeted }: { greeted: Greeted }) {
  const { firstName, email, isStaff, notices } = greeted
  return (
    <Workspace notices={notices}>
      <Page kind="work" title={firstName ? `Hello, ${firstName}` : 'Hello'} eyebrow={email} actions={isStaff && <LiveFigures />}>
        <Body />
      </Page>
    </Workspace>
  )
}

function Body() {
  const home = useQuery(apiQuery('/api/workspace', workspaceHome))
  if (home.isPending) {
    return (
      <>
        <Loading>Loading your workspace...</Loading>
        <Skeleton lines={8} />
      </>
    )
  }
  if (home.isError) return <Failed error={home.error} retry={home.refetch} />
  return home.data.view === 'staff' ? <Panels panels={staffPanels} home={home.data} /> : <Panels panels={customerPanels} home={home.data} />
}

function Panels<View>({ panels, home }: { panels: readonly Panel<View>[]; home: View }) {
  const those = (place: Panel<View>['place']) =>
    panels.filter((panel) => panel.place === place).map(({ name, View }) => <View key={name} home={home} />)
  return (
    <div className="grid grid-cols-1 items-start gap-4 sm:gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
      <div className="grid grid-cols-1 gap-4 sm:gap-6">{those('main')}</div>
      <div className="grid grid-cols-1 gap-4 sm:gap-6">{those('side')}</div>
    </div>
  )
}
