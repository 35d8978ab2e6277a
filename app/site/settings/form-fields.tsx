import { Fragment, useState } from 'react'
import { siteFileUrl } from '#app/content/settings/live.ts'
import { apiSend } from '#app/platform/browser/api.ts'
import { useRemoval } from '#app/ui/admin/undo.tsx'
import { useAction } from '#app/ui/admin/use-action.ts'
import { Button } from '#app/ui/button.tsx'
import { Field, FieldError } from '#app/ui/field.tsx'
import { cx } from '#app/ui/class-names.ts'
import { FileDrop } from '#app/ui/file-drop.tsx'
import { OpenSign } from '#app/ui/fold.tsx'
import { Input, Select, Textarea } from '#app/ui/input.tsx'
import { Later, laterCode } from '#app/ui/later-code.tsx'
import { type FormNode, SETTINGS, uploadedFile } from './settings.ts'

const weekCode = laterCode('The weekly hours', () => import('./week-field.tsx'))

type FieldsProps = {
  node: FormNode
  value: unknown
  /** `items.0.quote`, as the server names errors. */
  path: string
  errors: Readonly<Record<string, string>>
  change: (value: unknown) => void
  isOptional?: boolean
}

/** The fields of a node of the form, at any depth. */
export function FormFields(props: FieldsProps) {
  const { node, path } = props
  if (node.type === 'object') {
    if (path === '') return <ObjectFields {...props} />
    return isLong(node) && /\d$/.test(path) ? <FoldedGroup {...props} /> : <Group {...props} />
  }
  if (node['x-kind'] === 'week') return <Later code={weekCode}>{({ WeekField }) => <WeekField {...props} title={node.title} />}</Later>
  if (node.type === 'array') return <List {...props} />
  if (node['x-kind'] === 'picture') return <PictureField {...props} />
  return <ValueField {...props} />
}

function Group(props: FieldsProps) {
  const { node } = props
  return (
    <fieldset className="min-w-0 rounded-card border border-line bg-surface p-4">
      <legend className="px-1 text-small font-semibold">{node.title}</legend>
      {node.description && <p className="mb-3 text-small text-muted">{node.description}</p>}
      <div className="grid gap-4">
        <ObjectFields {...props} />
      </div>
    </fieldset>
  )
}

/** An entry of a list with more fields than a person takes in at once, or one of which a list has many. */
function isLong({ properties = {}, 'x-told': told }: FormNode): boolean {
  return told !== undefined || Object.keys(properties).length > 6
}

/** The fields that tell an entry, or else its first text. Empty while the first of them is missing. */
function tellingOf({ properties = {}, 'x-told': told }: FormNode, value: unknown): string {
  const values = recordOf(value)
  if (!told)
    return (
      Object.values(values)
        .find((one) => typeof one === 'string' && one !== '')
        ?.toString() ?? ''
    )
  if (!values[told[0] ?? '']) return ''
  const texts = told.map((name) => {
    const [child, text] = [properties[name], values[name]]
    return child && typeof text === 'string' && text !== '' ? `${nameOfOption(child, text)}${child['x-unit'] ?? ''}` : ''
  })
  return texts.filter(Boolean).join(', ')
}

/** Open while it is new or has an error. */
function FoldedGroup(props: FieldsProps) {
  const { node, value, path, errors } = props
  const name = tellingOf(node, value)
  const [isOpen, setOpen] = useState(name === '')
  const hasErrors = Object.keys(errors).some((key) => key.startsWith(`${path}.`))
  return (
    <details
      open={isOpen || hasErrors}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="group min-w-0 rounded-card border border-line bg-surface"
    >
      <summary className="flex min-h-(--control) cursor-pointer list-none items-center justify-between gap-4 px-4 text-small font-semibold [&::-webkit-details-marker]:hidden">
        {name ? `${node.title}: ${name}` : node.title}
        <OpenSign />
      </summary>
      <div className="grid gap-4 px-4 pt-1 pb-4">
        <ObjectFields {...props} />
      </div>
    </details>
  )
}

function ObjectFields({ node, value, path, errors, change }: FieldsProps) {
  const values = recordOf(value)
  const hasError = (name: string) => Object.keys(errors).some((key) => `${key}.`.startsWith(`${path && `${path}.`}${name}.`))
  const shown = Object.entries(node.properties ?? {}).filter(([name, { 'x-when': when }]) => {
    return !when || when.is.includes(String(values[when.field])) || hasError(name)
  })
  const render = ([name, child]: (typeof shown)[number]) => (
    <FormFields
      key={name}
      node={child}
      value={values[name]}
      path={path ? `${path}.${name}` : name}
      errors={errors}
      isOptional={!node.required?.includes(name)}
      change={(next) => {
        const { [name]: _before, ...others } = values
        // In the order of the form, so that an unchanged value compares as equal.
        change(Object.fromEntries(Object.keys(node.properties ?? {}).flatMap((key) => entryOf(key, key === name ? next : others[key]))))
      }}
    />
  )
  return inRows(shown).map((row) => {
    const [name, first] = row[0]
    const heading = first['x-group']
    return (
      <Fragment key={name}>
        {heading && <h3 className="border-t border-line pt-5 first:border-t-0 first:pt-0">{heading}</h3>}
        {row.length === 1 ? (
          row.map(render)
        ) : (
          <div className="grid items-start gap-x-5 gap-y-[inherit] sm:grid-cols-2">{row.map(render)}</div>
        )}
      </Fragment>
    )
  })
}

type NamedNode = [name: string, node: FormNode]
type Row = [NamedNode, ...NamedNode[]]

/** A field beside the one before it is of the same row. */
function inRows(fields: NamedNode[]): Row[] {
  return fields.reduce<Row[]>((rows, field) => {
    const last = rows.at(-1)
    return field[1]['x-beside'] && last ? [...rows.slice(0, -1), [...last, field]] : [...rows, [field]]
  }, [])
}

function List({ node, value, path, errors, change }: FieldsProps) {
  const items: unknown[] = Array.isArray(value) ? value : []
  const { items: item, title = 'Entries', maxItems = 50 } = node
  const remove = useRemoval(items, change)
  if (!item) return null
  const error = errors[path]
  const name = item.title ?? 'Entry'
  return (
    <fieldset className="grid min-w-0 gap-3 rounded-card border border-line p-4">
      <legend className="px-1 text-small font-semibold">{title}</legend>
      {node.description && <p className="text-small text-muted">{node.description}</p>}
      {error && <FieldError name={path}>{error}</FieldError>}
      {items.map((one, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the fields are controlled, and an entry has no identity of its own
        <div key={index} className={cx('grid min-w-0 gap-2 sm:grid-cols-[minmax(0,1fr)_auto]', isLong(item) ? 'items-start' : 'items-end')}>
          <FormFields
            node={{ ...item, title: `${name} ${index + 1}` }}
            value={one}
            path={`${path}.${index}`}
            errors={errors}
            change={(next) => change(items.with(index, next))}
          />
          <span className="flex gap-1">
            <Step
              label={`Move ${name.toLowerCase()} ${index + 1} up`}
              isUsable={index > 0}
              word="Up"
              sign="↑"
              onClick={() => change(swapped(items, index - 1))}
            />
            <Step
              label={`Remove ${name.toLowerCase()} ${index + 1}`}
              word="Remove"
              isUsable
              sign="✕"
              onClick={() => remove(index, `${name} ${index + 1} removed`)}
            />
          </span>
        </div>
      ))}
      {items.length < maxItems && (
        <span>
          <Button type="button" look="quiet" size="small" onClick={() => change([...items, emptyOf(item, items)])}>
            Add {name.toLowerCase()}
          </Button>
        </span>
      )}
    </fieldset>
  )
}

/** A new entry; of a choice, the first that is not in the list. */
function emptyOf({ type, enum: options, properties = {} }: FormNode, items: readonly unknown[]): unknown {
  if (type === 'object') return Object.fromEntries(Object.entries(properties).flatMap(([key, node]) => entryOf(key, node.default)))
  return options?.find((option) => !items.includes(option)) ?? ''
}

type StepProps = { label: string; /** On a phone, beside the sign. */ word: string; sign: string; isUsable: boolean; onClick: () => void }

function Step({ label, word, sign, isUsable, onClick }: StepProps) {
  return (
    <Button
      type="button"
      look="quiet"
      size="small"
      aria-label={label}
      {...(!isUsable && { unavailable: 'It is the first.' })}
      onClick={onClick}
    >
      <span aria-hidden="true">{sign}</span>
      <span className="sm:sr-only">{word}</span>
    </Button>
  )
}

/** The titles that lead to the field of an error, such as `Rule 2, Rate in percent`. The title of an entry identifies its list. */
export function placeOf({ properties, items, title = 'Entries' }: FormNode, path: string): string {
  const [step = '', ...rest] = path.split('.')
  const child = items ?? properties?.[step]
  if (!child) return title
  const own = items ? `${items.title ?? 'Entry'} ${Number(step) + 1}` : child.type === 'array' && rest.length > 0 ? '' : child.title
  return [own, rest.length > 0 && placeOf(child, rest.join('.'))].filter(Boolean).join(', ')
}

/** Short texts and numbers get short fields, which show how much is expected. */
function widthOf(node: FormNode): string | undefined {
  const { maxLength = Infinity, 'x-kind': kind } = node
  if (keysOf(node) || kind === 'date' || maxLength <= 20) return 'sm:max-w-56'
  return kind === 'zone' || kind === 'country' ? 'sm:max-w-80' : undefined
}

/** The keyboard of a phone for a number. A decimal number is text that begins with a digit. */
function keysOf({ type, pattern }: FormNode): 'numeric' | 'decimal' | undefined {
  if (type === 'integer') return 'numeric'
  return pattern?.startsWith(String.raw`^\d`) ? 'decimal' : undefined
}

const regions = new Intl.DisplayNames('en', { type: 'region' })

function nameOfOption({ 'x-kind': kind }: FormNode, option: string): string {
  return kind === 'country' ? (regions.of(option) ?? option) : option
}

function ValueField({ node, value, path, errors, change, isOptional = false }: FieldsProps) {
  const id = `field-${path.replaceAll('.', '-')}`
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const told = { label: node.title ?? path, name: path, id, error: errors[path], hint: node.description }
  if (node.type === 'boolean')
    return <Checkbox id={id} name={path} label={told.label} checked={value === true} error={told.error} change={change} />
  const type = (given: string) => change(node.type === 'integer' ? numberOf(given) : given === '' && isOptional ? undefined : given)
  return (
    <Field {...told} optional={isOptional}>
      <div className={widthOf(node)}>
        {node.enum ? (
          <Select value={text} onChange={({ target }) => type(target.value)}>
            {isOptional ? <option value="">None</option> : text === '' && <option value="">Choose</option>}
            {node.enum.map((option) => (
              <option key={option} value={option}>
                {nameOfOption(node, option)}
              </option>
            ))}
          </Select>
        ) : node['x-kind'] === 'zone' ? (
          <Select value={text} onChange={({ target }) => change(target.value)}>
            <ZoneOptions value={text} />
          </Select>
        ) : node['x-lines'] ? (
          <Textarea rows={node['x-lines']} most={node.maxLength} value={text} onChange={({ target }) => type(target.value)} />
        ) : node['x-kind'] === 'color' ? (
          <ColorInput label={told.label} text={text} change={type} />
        ) : (
          <Input
            value={text}
            most={node.maxLength}
            type={node['x-kind'] === 'date' ? 'date' : undefined}
            inputMode={keysOf(node)}
            onChange={({ target }) => type(target.value)}
          />
        )}
      </div>
    </Field>
  )
}

/** A color as text and in the browser's own picker. Text that is no color yet stays as it is typed, and the picker with the last color. */
function ColorInput({ label, text, change }: { label: string; text: string; change: (text: string) => void }) {
  const [last, setLast] = useState(text)
  if (isColor(text) && text !== last) setLast(text)
  return (
    <span className="flex gap-2">
      <Input value={text} onChange={({ target }) => change(target.value)} className="font-mono" autoComplete="off" spellCheck={false} />
      <input
        type="color"
        aria-label="Pick a color"
        title={label}
        value={isColor(last) ? last.toLowerCase() : '#000000'}
        onChange={({ target }) => change(target.value)}
        className="h-(--control) w-14 shrink-0 cursor-pointer rounded-control border border-edge bg-surface p-1 hover:border-ink"
      />
    </span>
  )
}

function isColor(text: string): boolean {
  return /^#[\da-f]{6}$/i.test(text)
}

type CheckboxProps = {
  id: string
  name: string
  label: string
  checked: boolean
  error: string | undefined
  change: (checked: boolean) => void
}

function Checkbox({ id, name, label, checked, error, change }: CheckboxProps) {
  return (
    <div className="grid gap-1">
      <label className="inline-flex min-h-(--control) items-center gap-2.5 text-small">
        <input
          id={id}
          type="checkbox"
          className="size-5 accent-grain-text"
          checked={checked}
          aria-describedby={error && `${id}-error`}
          onChange={({ target }) => change(target.checked)}
        />
        {label}
      </label>
      {error && (
        <FieldError id={`${id}-error`} name={name}>
          {error}
        </FieldError>
      )}
    </div>
  )
}

function PictureField({ node, value, path, errors, change }: FieldsProps) {
  const upload = useAction({
    send: async (file: File) => uploadedFile.parse(await (await apiSend('POST', `${SETTINGS}/files`, file)).json()).file,
    onDone: change,
    failed: 'The picture was not uploaded',
    touches: [],
  })
  const file = typeof value === 'string' ? value : undefined
  const { title = 'Picture', description } = node
  return (
    <div className="grid gap-2">
      <p className="text-small font-medium">{title}</p>
      {file && (
        <div className="flex flex-wrap items-center gap-3">
          <img
            src={siteFileUrl(file)}
            alt={`${title}, as it is stored`}
            className="h-16 max-w-40 rounded-control border border-line object-contain"
          />
          <Button type="button" look="quiet" size="small" onClick={() => change(undefined)}>
            Remove {title.toLowerCase()}
          </Button>
        </div>
      )}
      <FileDrop
        label={title}
        accept="image/png,image/jpeg,image/webp,image/avif"
        verb={upload.isPending ? 'Uploading...' : file ? 'Replace' : 'Choose a file'}
        busy={upload.isPending}
        take={(files) => files?.[0] && upload.mutate(files[0])}
      >
        <p className="text-small text-muted">{description}</p>
      </FileDrop>
      {errors[path] && <FieldError name={path}>{errors[path]}</FieldError>}
    </div>
  )
}

function ZoneOptions({ value }: { value: string }) {
  const known = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
  return (known.includes(value) ? known : [value, ...known]).map((zone) => (
    <option key={zone} value={zone}>
      {zone.replaceAll('_', ' ')}
    </option>
  ))
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

function entryOf(key: string, value: unknown): [string, unknown][] {
  return value === undefined ? [] : [[key, value]]
}

/** Text that is no whole number stays as it is typed: “1.” as a number would be 1, and the 5 that follows would make it 15. */
export function numberOf(text: string): number | string | undefined {
  if (text.trim() === '') return undefined
  const number = Number(text)
  return String(number) === text.trim() && Number.isSafeInteger(number) ? number : text
}

function swapped(items: readonly unknown[], first: number): unknown[] {
  return items.with(first, items[first + 1]).with(first + 1, items[first])
}
