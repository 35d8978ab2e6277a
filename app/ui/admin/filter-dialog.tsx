import { z } from 'zod/mini'
import { Field } from '#app/ui/field.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { FormDialog } from './form-dialog.tsx'
import type { RareFilter } from './list-filters.tsx'
import { findReversed } from './range.ts'
import { useForm } from './use-form.ts'
import { useView } from './use-view.tsx'
import { valuesIn } from './view.ts'

const anyText = z.string().check(z.trim())

/** The values that the dialog accepts: each as its filter reads it, and no range that ends before it begins. */
export function rareChoice(filters: readonly RareFilter[]): z.ZodMiniType<Record<string, string>> {
  const values = z.object(Object.fromEntries(filters.map((filter) => [filter.key, ('type' in filter && filter.given) || anyText])))
  return values.check(({ value, issues }) => {
    for (const filter of filters) {
      const message = findReversed(filter, filters, (key) => value[key])
      if (message) issues.push({ code: 'custom', input: value, path: [filter.key], message })
    }
  })
}

type FilterDialogProps = { filters: readonly RareFilter[]; title: string; close: () => void }

/** All filters of a list that has many. */
export function FilterDialog({ filters, title, close }: FilterDialogProps) {
  const { change } = useView()
  const form = useForm({
    schema: rareChoice(filters),
    read: (_texts, given) =>
      Object.fromEntries(
        filters.map(({ key }) => [
          key,
          given
            .getAll(key)
            .filter((value) => typeof value === 'string')
            .join(','),
        ]),
      ),
    send: async (chosen) => change(chosen),
    failed: 'Not filtered',
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title={title} submit="Apply">
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {filters.map((filter) =>
          'isMany' in filter ? (
            <Boxes key={filter.key} filter={filter} />
          ) : (
            <Field key={filter.key} label={filter.label} name={filter.key} tool="stacked">
              <Control filter={filter} />
            </Field>
          ),
        )}
      </div>
    </FormDialog>
  )
}

function Control({ filter }: { filter: RareFilter }) {
  const { params } = useView()
  const value = params.get(filter.key) ?? ''
  if ('options' in filter) {
    return (
      <Select defaultValue={value}>
        <option value="">Any</option>
        {filter.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Select>
    )
  }
  const kind = filter.type === 'amount' ? ({ inputMode: 'decimal' } as const) : { type: filter.type }
  return <Input {...kind} autoComplete="off" defaultValue={value} most={200} />
}

function Boxes({ filter }: { filter: Extract<RareFilter, { options: unknown }> }) {
  const { params } = useView()
  const chosen = valuesIn(params, filter)
  return (
    <fieldset className="sm:col-span-2">
      <legend className="text-small font-semibold">{filter.label}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1 pt-1.5">
        {filter.options.map(({ value, label }) => (
          <label key={value} className="inline-flex min-h-7 cursor-pointer items-center gap-2 text-small pointer-coarse:min-h-11">
            <input type="checkbox" name={filter.key} value={value} defaultChecked={chosen.includes(value)} className="size-4 accent-ink" />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
