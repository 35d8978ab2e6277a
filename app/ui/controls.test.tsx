import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { readSources } from '#scripts/source.ts'
import { HydrationContext } from '#app/platform/browser/hydration.ts'
import { Avatar } from './avatar.tsx'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import { Input, Select, Textarea } from './input.tsx'

const html = renderToStaticMarkup

test('a field names its control, and ties hint and error to it', () => {
  const field = html(
    <Field label="E-mail" name="email" hint="The answer goes there." error="Invalid email address">
      <Input type="email" />
    </Field>,
  )
  expect(field).toMatch(/<label for="field-email"/)
  expect(field).toMatch(
    /<input (?=[^>]*id="field-email")(?=[^>]*name="email")(?=[^>]*aria-describedby="field-email-hint field-email-error")/,
  )
  expect(field).toMatch(/<input (?=[^>]*aria-invalid="true")(?=[^>]*aria-required="true")/)
  expect(field).toMatch(/<p id="field-email-error"[^>]*>.*Invalid email address<\/p>/)
})

test('a field that may stay empty says so in words, and is not required', () => {
  const field = html(
    <Field label="Company" name="company" optional>
      <Textarea />
    </Field>,
  )
  expect(field).toMatch(/optional<\/span><\/label>/)
  expect(field).not.toMatch(/ aria-(required|invalid|describedby)=/)
})

test('two forms of one page tell their fields apart by id and keep the names', () => {
  const field = html(
    <Field label="Country" name="country" id="hire-country">
      <Select />
    </Field>,
  )
  expect(field).toMatch(/<label for="hire-country"/)
  expect(field).toMatch(/<select (?=[^>]*id="hire-country")(?=[^>]*name="country")/)
})

test('a control outside of a field throws immediately', () => {
  expect(() => html(<Input />)).toThrow('inside of a Field')
})

test('an unavailable button stays focusable and says why; a busy one cannot be pressed', () => {
  const unavailable = html(<Button unavailable="Choose a row first.">Export</Button>)
  expect(unavailable).toMatch(/aria-disabled="true" aria-description="Choose a row first\."/)
  expect(unavailable).not.toMatch(/ disabled=/)
  const busy = html(<Button busy>Sending...</Button>)
  expect(busy).toMatch(/<button aria-disabled="true" aria-busy="true"/)
  // It would lose the focus.
  expect(busy).not.toMatch(/ disabled=/)
  expect(html(<Button>Send</Button>)).not.toMatch(/disabled|aria-busy/)
})

test('before a live page is hydrated, a button that needs its code is disabled; on other pages it is not', () => {
  expect(html(<Button type="button">New</Button>)).toMatch(/ disabled=""/)
  expect(html(<Button needsScript>Save</Button>)).toMatch(/ disabled=""/)
  expect(
    html(
      <Button type="button" popoverTarget="menu">
        Menu
      </Button>,
    ),
  ).not.toMatch(/ disabled=/)
  const elsewhere = <Button type="button">New</Button>
  expect(html(<HydrationContext value="islands">{elsewhere}</HydrationContext>)).not.toMatch(/ disabled=/)
})

test('a person without a picture is shown by a letter, and one with a picture does not tell its host where it is shown', () => {
  expect(html(<Avatar src={undefined} label="ada@example.com" />)).toContain('data-initial="A"')
  expect(html(<Avatar src="https://pictures.example/ada.png" label="Ada" />)).toMatch(/<img (?=.*alt="")(?=.*referrerPolicy="no-referrer")/)
})

test('no field cuts what is pasted into it: the server’s sentence says that it is too long', () => {
  const cutting = readSources().filter(({ part, text }) => part === 'product' && /\bmaxLength=/.test(text))
  expect(cutting.map(({ file }) => file)).toEqual([])
})

test('a text near its maximum says how many characters it has, and which are too many', () => {
  const field = (text: string) =>
    html(
      <Field label="Message" name="message">
        <Textarea most={100} defaultValue={text} />
      </Field>,
    )
  expect(field('x'.repeat(89))).not.toContain('characters')
  expect(field('😀'.repeat(90))).toContain('90 of 100 characters')
  expect(field(`${'x'.repeat(100)}\r\n`)).toContain('100 of 100 characters<')
  expect(field('x'.repeat(1_101))).toContain('1,101 of 100 characters: 1,001 too many')
})
