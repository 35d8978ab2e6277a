import { SearchField } from '#app/admin-view/search-field.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { GUARD_NOTE } from '#app/platform/formula-guard.ts'
import { NO_SERVICE_TYPE } from '#app/sales/lead.ts'
import { exportUrl } from './lead-view.ts'
import { useView } from '#app/admin-view/use-view.tsx'

/** Above a list: search, what else chooses rows, and the way out as a file. */
export function LeadToolbar({ path, placeholder, children }: { path: string; placeholder: string; children?: React.ReactNode }) {
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
        <div className="min-w-48 grow basis-64">
          <SearchField name="q" label="Search" placeholder={placeholder} />
        </div>
        {children && <div className="min-w-48 max-sm:grow">{children}</div>}
        <ExportButton path={path} />
      </div>
      <ChosenService />
    </div>
  )
}

/** A press on a bar of the chart chooses one service type; here it is seen and taken away. */
function ChosenService() {
  const { params, change } = useView()
  const service = params.get('service')
  if (service === null) return null
  return (
    <p className="flex flex-wrap items-center gap-2 text-small">
      Service type: <Badge look="grain">{service || NO_SERVICE_TYPE}</Badge>
      <Button type="button" look="quiet" size="small" onClick={() => change({ service: undefined })}>
        Show all
      </Button>
    </p>
  )
}

function ExportButton({ path }: { path: string }) {
  const { params } = useView()
  const url = exportUrl(path, params)
  return (
    <Button type="button" look="quiet" title={GUARD_NOTE} onClick={() => download(url)}>
      Export CSV
    </Button>
  )
}

/** The server names the file; a link that is to be saved keeps the page where it is, also when the answer is an error. */
function download(url: string) {
  Object.assign(document.createElement('a'), { href: url, download: '' }).click()
}
