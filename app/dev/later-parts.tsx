import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Dialog } from '#app/ui/dialog.tsx'
import { Later, laterCode, LaterDialog } from '#app/ui/later-code.tsx'
import { MenuButton, type MenuTriggerProps } from '#app/ui/menu-button.tsx'
import { MenuTrigger } from '#app/ui/menu-trigger.tsx'
import { GallerySection } from './gallery-section.tsx'

const there = laterCode('The part', async () => ({ text: 'The code of this part came after the page.' }))
const never = laterCode('The part', async () => Promise.reject<{ text: string }>(new Error('The network is down.')))
const menu = laterCode('The menu', async () => ({ List }))

/** Parts whose code loads when someone reaches for them. */
export function LaterParts() {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <GallerySection title="Parts that load later">
      <Later code={there}>{({ text }) => <p>{text}</p>}</Later>
      <Later code={never}>{({ text }) => <p>{text}</p>}</Later>
      <div className="flex flex-wrap gap-3">
        <Button look="quiet" type="button" onClick={() => setOpen(true)}>
          Later dialog
        </Button>
        <MenuButton code={menu} className={buttonLook('quiet')} face="Later menu">
          {({ List: Loaded }, trigger) => <Loaded trigger={trigger} />}
        </MenuButton>
      </div>
      {isOpen && (
        <LaterDialog code={there} onClose={close}>
          {({ text }) => (
            <Dialog open onClose={close} title="Later dialog">
              {text}
            </Dialog>
          )}
        </LaterDialog>
      )}
    </GallerySection>
  )
}

function List({ trigger }: { trigger: MenuTriggerProps }) {
  return (
    <DropdownMenu.Root modal={false}>
      <MenuTrigger {...trigger} />
      <DropdownMenu.Content sideOffset={8} className="z-40 grid w-56 rounded-card border border-line bg-surface p-1.5">
        <DropdownMenu.Item className="rounded-control px-3 py-2 text-small outline-none data-highlighted:bg-sunken">
          Entry
        </DropdownMenu.Item>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}
