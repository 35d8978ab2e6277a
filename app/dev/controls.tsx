import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { CellCheck, CellInput } from '#app/ui/cell-input.tsx'
import { ClosingCall } from '#app/ui/closing-call.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Field, FieldError } from '#app/ui/field.tsx'
import { FileDrop } from '#app/ui/file-drop.tsx'
import { FilterLink } from '#app/ui/filter-link.tsx'
import { Honeypot } from '#app/ui/honeypot.tsx'
import { CharacterCount } from '#app/ui/character-count.tsx'
import { BareSelect, Input, Select, Textarea } from '#app/ui/input.tsx'
import { Refusal } from '#app/ui/refusal.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { Switch } from '#app/ui/switch.tsx'
import { GallerySection } from './gallery-section.tsx'

const looks = ['primary', 'quiet', 'danger'] as const
const sizes = ['small', 'regular', 'large'] as const

export function Buttons() {
  return (
    <GallerySection title="Buttons">
      {looks.map((look) => (
        <div key={look} className="flex flex-wrap items-center gap-4">
          {sizes.map((size) => (
            <Button key={size} type="button" look={look} size={size}>
              {`${look} ${size}`}
            </Button>
          ))}
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-4">
        <Button type="button" unavailable="Choose at least one row first.">
          Unavailable
        </Button>
        <Button type="button" busy>
          Sending...
        </Button>
        <form method="post" onSubmit={(event) => event.preventDefault()}>
          <SubmitButton>Save</SubmitButton>
        </form>
        {looks.map((look) => (
          <ButtonLink key={look} to="/contact" look={look}>
            {`${look} link`}
          </ButtonLink>
        ))}
        <CopyButton text="wn_example" label="Copy" />
      </div>
      <ul className="flex flex-wrap gap-2">
        <FilterLink to="?shop=all" name="all" count={12} isChosen />
        <FilterLink to="?shop=north" name="north" count={4} isChosen={false} />
      </ul>
      <ClosingCall
        title="The end of a page"
        text="It leads on, in one of two directions."
        ways={[
          { to: '/contact', label: 'Contact us' },
          { to: '/services', label: 'See our services' },
        ]}
      />
    </GallerySection>
  )
}

export function Fields() {
  return (
    <GallerySection title="Fields">
      {/* Nothing of it is seen. */}
      <Honeypot label="Homepage" />
      <div className="grid gap-6 md:grid-cols-2">
        <div className="md:col-span-2">
          <ErrorSummary errors={{ email: 'Invalid email address', country: 'Please select your country' }} />
        </div>
        <div className="md:col-span-2">
          <Refusal>The card was declined. Nothing was charged.</Refusal>
        </div>
        <Field label="Name" name="name">
          <Input autoComplete="name" placeholder="Ada Lovelace" />
        </Field>
        <Field label="Company" name="company" optional>
          <Input autoComplete="organization" />
        </Field>
        <Field label="Email" name="email" error="Invalid email address" hint="The answer goes there.">
          <Input type="email" defaultValue="ada@" autoComplete="email" />
        </Field>
        <Field label="Country" name="country" error="Please select your country">
          <Select defaultValue="">
            <option value="">Choose a country</option>
            <option>Germany</option>
            <option>United Kingdom</option>
          </Select>
        </Field>
        <BareSelect aria-label="Email: New leads" defaultValue="never">
          <option value="never">Never</option>
          <option value="daily">Daily</option>
        </BareSelect>
        <Field label="Search" name="search" tool>
          <Input type="search" />
        </Field>
        <div className="md:col-span-2">
          <Field label="Message" name="message" hint="Which sites, which columns, how often.">
            <Textarea defaultValue="Prices of 40 shops, every morning at six." />
          </Field>
          <CharacterCount id="gallery-count" count={{ text: '5,012 of 5,000 characters: 12 too many', isOver: true }} />
        </div>
        <Switches />
      </div>
    </GallerySection>
  )
}

function Switches() {
  const [on, setOn] = useState({ published: true, active: false })
  return (
    <div className="flex flex-wrap gap-8">
      <Switch label="Published" checked={on.published} onChange={(published) => setOn({ ...on, published })} />
      <Switch label="Active" checked={on.active} onChange={(active) => setOn({ ...on, active })} />
    </div>
  )
}

export function Cells() {
  const [isMasked, setMasked] = useState(true)
  return (
    <GallerySection title="Cells and files">
      <div className="flex flex-wrap items-start gap-4">
        <CellInput label="What the column price means" defaultValue="In US dollars" />
        <CellInput label="What the column shop means" error="A description must be at most 300 characters" />
        <CellCheck label="Mask the column email" checked={isMasked} onChange={setMasked} />
      </div>
      <FieldError name="hours">A span ends after it begins</FieldError>
      <FileDrop label="A dataset" accept=".csv" verb="Choose a file" take={() => {}}>
        CSV, JSON, JSONL or Parquet, up to 2 GB.
      </FileDrop>
    </GallerySection>
  )
}
