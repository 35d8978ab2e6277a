import { useEffect, useRef } from 'react'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { CSV_NOTE } from '#app/sales/csv.ts'
import { NO_SERVICE_TYPE } from '#app/sales/lead.ts'
import { exportUrl } from './lead-view.ts'
import { useLeadView } from './use-lead-view.tsx'

/** Milliseconds after the last key before the server is asked. */
const TYPING_PAUSE = 250

/** Above a list: search, what else chooses rows, and the way out as a file. */
export function LeadToolbar({ path, placeholder, children }: { path: string; placeholder: string; children?: React.ReactNode }) {
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
        <div className="min-w-48 grow basis-64">
          <Search placeholder={placeholder} />
        </div>
        {children && <div className="min-w-48 max-sm:grow">{children}</div>}
        <ExportButton path={path} />
      </div>
      <ChosenService />
    </div>
  )
}

function Search({ placeholder }: { placeholder: string }) {
  const { params, change } = useLeadView()
  const field = useRef<HTMLInputElement>(null)
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  const q = params.get('q') ?? ''

  useEffect(() => {
    // The back button changes the address; while someone types, what they type is right.
    if (field.current && document.activeElement !== field.current) field.current.value = q
  }, [q])

  return (
    <search>
      <form
        onSubmit={(event) => event.preventDefault()}
        onInput={() => {
          clearTimeout(pause.current)
          pause.current = setTimeout(() => change({ q: field.current?.value.trim() }, { replace: true }), TYPING_PAUSE)
        }}
      >
        <Field label="Search" name="q" tool>
          <Input ref={field} type="search" defaultValue={q} placeholder={placeholder} maxLength={200} autoComplete="off" />
        </Field>
      </form>
    </search>
  )
}

/** A press on a bar of the chart chooses one service type; here it is seen and taken away. */
function ChosenService() {
  const { params, change } = useLeadView()
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
  const { params } = useLeadView()
  const url = exportUrl(path, params)
  return (
    <Button type="button" look="quiet" title={CSV_NOTE} onClick={() => download(url)}>
      Export CSV
    </Button>
  )
}

/** The server names the file; a link that is to be saved keeps the page where it is, also when the answer is an error. */
function download(url: string) {
  Object.assign(document.createElement('a'), { href: url, download: '' }).click()
}
