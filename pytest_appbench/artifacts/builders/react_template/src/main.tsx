import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import App from './App'

import.meta.glob('./index.css', { eager: true })

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
