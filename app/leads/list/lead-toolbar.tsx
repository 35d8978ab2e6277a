import { SearchField } from '#app/ui/admin/search-field.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { GUARD_NOTE } from '#app/platform/formula-guard.ts'
import { NO_SERVICE_TYPE } from '#app/leads/lead/lead-facts.ts'
import { exportUrl } from './lead-view.ts'
import { useView } from '#app/ui/admin/use-view.tsx'

/** The toolbar above a list: search, filters and export. */
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

/** A click on a bar of the chart filters by one service type; this shows the filter and removes it. */
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
    <span className="flex flex-wrap gap-2">
      <Button type="button" look="quiet" title={GUARD_NOTE} onClick={() => download(url)}>
        Export CSV
      </Button>
      <Button type="button" look="quiet" onClick={() => download(`${url}${url.includes('?') ? '&' : '?'}format=xlsx`)}>
        Export Excel
      </Button>
    </span>
  )
}

/** The server names the file; a download link keeps the page open even when the response is an error. */
function download(url: string) {
  Object.assign(document.createElement('a'), { href: url, download: '' }).click()
}
