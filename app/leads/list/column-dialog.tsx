import { arrayMove } from '@dnd-kit/sortable'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ArrowDownIcon, ArrowUpIcon } from 'lucide-react'
import { useState } from 'react'
import { apiRequest } from '#app/platform/browser/api.ts'
import { DragHandle, DragItem, DragList } from '#app/ui/admin/drag-list.tsx'
import { showFailure } from '#app/ui/admin/tell-failure.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { defaultLeadColumns, LEAD_COLUMNS, type LeadColumnKey, leadColumnKeys } from '#app/leads/lead/desk.ts'
import { leadColumnsQuery } from './use-desk.tsx'

type LeadColumnDialogProps = { chosen: readonly LeadColumnKey[]; heads: Record<LeadColumnKey, string>; close: () => void }

/** Chooses and orders the columns of the person's table, on every device. */
export function LeadColumnDialog({ chosen, heads, close }: LeadColumnDialogProps) {
  const client = useQueryClient()
  const [columns, setColumns] = useState<readonly LeadColumnKey[]>(chosen)
  const save = useMutation({
    mutationFn: async () => apiRequest('PUT', LEAD_COLUMNS, { columns }),
    async onSuccess() {
      client.setQueryData(leadColumnsQuery.queryKey, { columns: [...columns] })
      close()
    },
    onError: (error) => showFailure('Columns not saved', error),
  })
  const move = (from: number, to: number) => {
    if (to >= 0 && to < columns.length) setColumns(arrayMove([...columns], from, to))
  }
  const headOf = (id: string) => leadColumnKeys.flatMap((key) => (key === id ? [heads[key]] : [])).join('')
  const actions = (
    <>
      <Button type="button" look="quiet" onClick={() => setColumns(defaultLeadColumns)}>
        Reset
      </Button>
      <Button type="button" busy={save.isPending} onClick={() => save.mutate()}>
        {save.isPending ? 'Saving...' : 'Save'}
      </Button>
    </>
  )
  return (
    <Dialog open onClose={close} title="Columns" actions={actions}>
      <DragList ids={columns} nameOf={headOf} move={move}>
        <ul className="divide-y divide-line">
          {[...columns, ...leadColumnKeys.filter((key) => !columns.includes(key))].map((key) => {
            const at = columns.indexOf(key)
            return (
              <DragItem as="li" key={key} id={key} isFixed={at < 0} className="flex min-h-9 items-center gap-3 pointer-coarse:min-h-11">
                {at < 0 ? (
                  <span className="w-5 shrink-0 pointer-coarse:w-9" />
                ) : (
                  <DragHandle name={heads[key]} step={(by) => move(at, at + by)} />
                )}
                <label className="flex grow cursor-pointer items-center gap-3">
                  <input
                    type="checkbox"
                    checked={at >= 0}
                    onChange={() => setColumns(at >= 0 ? columns.filter((each) => each !== key) : [...columns, key])}
                    className="size-4 accent-ink"
                  />
                  {heads[key]}
                </label>
                {at >= 0 && (
                  <>
                    <MoveButton label={`Move ${heads[key]} up`} isLast={at === 0} move={() => move(at, at - 1)}>
                      <ArrowUpIcon aria-hidden="true" className="size-4" />
                    </MoveButton>
                    <MoveButton label={`Move ${heads[key]} down`} isLast={at === columns.length - 1} move={() => move(at, at + 1)}>
                      <ArrowDownIcon aria-hidden="true" className="size-4" />
                    </MoveButton>
                  </>
                )}
              </DragItem>
            )
          })}
        </ul>
      </DragList>
    </Dialog>
  )
}

function MoveButton({ label, isLast, move, children }: { label: string; isLast: boolean; move: () => void; children: React.ReactNode }) {
  return (
    <Button
      type="button"
      look="quiet"
      size="small"
      aria-label={label}
      onClick={move}
      {...(isLast && { unavailable: 'It is already there.' })}
    >
      {children}
    </Button>
  )
}
