import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Dialog } from '#app/ui/dialog.tsx'
import { Later, laterCode, LaterDialog } from '#app/ui/later-code.tsx'
import { MenuButton } from '#app/ui/menu-button.tsx'
import { GallerySection } from './gallery-section.tsx'

const there = laterCode('The part', async () => ({ text: 'The code of this part came after the page.' }))
const never = laterCode('The part', async () => Promise.reject<{ text: string }>(new Error('The network is down.')))
const menu = laterCode('The menu', () => import('./later-menu.tsx'))

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
          {({ LaterMenu }, trigger) => <LaterMenu trigger={trigger} />}
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
