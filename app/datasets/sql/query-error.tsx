import { ApiError } from '#app/platform/browser/api.ts'
import { Button } from '#app/ui/button.tsx'
import { faultOf, lineAndColumn } from './use-query.tsx'

type FaultProps = { id: string; error: Error; sql: string | undefined; onShow: () => void }

/** The engine's error message and its position. */
export function Fault({ id, error, sql = '', onShow }: FaultProps) {
  const position = faultOf(error)
  const place = position === undefined ? undefined : lineAndColumn(sql, position)
  const said = error instanceof ApiError ? error.detail : 'Connection lost. Run the query again.'
  return (
    <div id={id} role="alert" className="grid justify-items-start gap-3 rounded-card border border-alarm bg-alarm-wash px-5 py-4">
      <h2 className="text-body font-semibold">Error{place && ` at line ${place.line}, column ${place.column}`}</h2>
      <p className="font-mono text-small break-words whitespace-pre-wrap">{said}</p>
      {place && (
        <Button type="button" look="quiet" size="small" onClick={onShow}>
          Show it in the query
        </Button>
      )}
    </div>
  )
}
