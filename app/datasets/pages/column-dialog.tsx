import { useState } from 'react'
import { z } from 'zod/mini'
import type { Column } from '#app/datasets/catalog/column.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Button } from '#app/ui/button.tsx'

type ColumnDialogProps = { columns: readonly Column[]; shown: readonly Column[]; close: () => void; choose: (names: string[]) => void }

/** Chooses the visible columns. */
export function ColumnDialog({ columns, shown, close, choose }: ColumnDialogProps) {
  const [names, setNames] = useState<ReadonlySet<string>>(() => new Set(shown.map(({ name }) => name)))
  const toggle = (name: string) =>
    setNames((before) => (before.has(name) ? before.difference(new Set([name])) : new Set([...before, name])))
  const kept = columns.map(({ name }) => name).filter((name) => names.has(name))
  const form = useForm({ schema: z.object({}), send: async () => choose(kept), failed: 'Columns not chosen' })
  return (
    <FormDialog
      form={{ ...form, isChanged: kept.join('\n') !== shown.map(({ name }) => name).join('\n') }}
      title="Columns"
      submit="Show"
      unavailable={kept.length === 0 ? 'Choose at least one column.' : undefined}
      onClose={close}
    >
      <div className="flex gap-2">
        <Button type="button" look="quiet" size="small" onClick={() => setNames(new Set(columns.map(({ name }) => name)))}>
          All
        </Button>
        <Button type="button" look="quiet" size="small" onClick={() => setNames(new Set())}>
          None
        </Button>
      </div>
      <fieldset className="grid">
        <legend className="sr-only">Visible columns</legend>
        {columns.map(({ name, type }) => (
          <label key={name} className="flex min-h-11 items-center gap-3 font-mono text-small">
            <input type="checkbox" checked={names.has(name)} onChange={() => toggle(name)} className="size-5 shrink-0 accent-grain-text" />
            <span className="min-w-0 wrap-anywhere">{name}</span>
            <span className="text-fine text-muted">{type}</span>
          </label>
        ))}
      </fieldset>
    </FormDialog>
  )
}
