import { allow } from '#app/access.server.ts'
import { onNewPath } from '#app/platform/revalidate.ts'
import { visitOf } from '#app/platform/visit.server.ts'
import { pageMeta } from '#app/site/content/page-meta.ts'
import { Page } from '#app/ui/page.tsx'
import { Catalogue } from './catalogue.tsx'
import type { Route } from './+types/marketplace.page.ts'

export async function loader({ context }: Route.LoaderArgs) {
  await allow(visitOf(context), 'workspace.enter')
  return null
}

/** Another category, search or order changes nothing of who is looking. */
export const shouldRevalidate = onNewPath

const TITLE = 'Data Marketplace'

export const meta = () => pageMeta({ title: TITLE, index: false })

export default function MarketplacePage() {
  return (
    <Page kind="work" title={TITLE} intro="Datasets as files and as an API. Look at the rows before you take them.">
      <Catalogue />
    </Page>
  )
}
