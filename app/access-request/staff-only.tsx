import { type AreaName, areas } from '#app/site/content/areas.ts'
import { NotYours } from './not-yours.tsx'
import { RequestAccess } from './request-access.tsx'

/** What staff alone work in can be asked for. */
export function StaffOnly({ area }: { area: AreaName }) {
  const { title, purpose, uses, needs } = areas[area]
  return (
    <NotYours title={title} purpose={purpose} uses={uses} needs={needs}>
      <RequestAccess area={area} />
    </NotYours>
  )
}
