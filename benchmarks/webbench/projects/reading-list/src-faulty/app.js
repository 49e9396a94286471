'use strict'

const KEY = 'reading-list'
const find = (selector) => document.querySelector(selector)
const count = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`

let books = stored()
let renamed = null
const past = []

function stored() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(found) ? found.filter((book) => typeof book?.title === 'string') : []
  } catch {
    return []
  }
}

function change(next) {
  past.push(books)
  books = next
  keep()
}

function keep() {
  localStorage.setItem(KEY, JSON.stringify(books))
  render()
}

function complain(text) {
  find('#problem').textContent = text
}

function add(event) {
  event.preventDefault()
  const title = find('#title').value.trim()
  const author = find('#author').value.trim()
  const typed = find('#pages').value.trim()
  const pages = typed === '' ? null : Number(typed)
  if (!title) return complain('Title is needed')
  if (pages !== null && !(/^\d+$/.test(typed) && pages >= 1 && pages <= 5000)) {
    return complain('Pages must be a whole number from 1 to 5000')
  }
  complain('')
  const id = books.reduce((most, book) => Math.max(most, book.id), 0) + 1
  change([...books, { id, title, author: author || 'unknown author', pages, read: false }])
  find('#add').reset()
  find('#title').focus()
}

function update(id, fields) {
  change(books.map((book) => (book.id === id ? { ...book, ...fields } : book)))
}

function compare(a, b) {
  const by = find('#sort').value
  if (by === 'pages') return (a.pages ?? Infinity) - (b.pages ?? Infinity) || 0
  if (by === 'added') return 0
  return a[by].localeCompare(b[by], 'en', { sensitivity: 'base' })
}

function shown() {
  const which = find('input[name=show]:checked').value
  const words = find('#search').value.trim().toLowerCase()
  return books
    .filter((book) => which === 'all' || book.read === (which === 'read'))
    .filter((book) => book.title.toLowerCase().includes(words))
    .sort(compare)
}

function button(text, action) {
  const made = document.createElement('button')
  made.type = 'button'
  made.textContent = text
  made.addEventListener('click', action)
  return made
}

function tick(book) {
  const box = document.createElement('input')
  box.type = 'checkbox'
  box.checked = book.read
  box.setAttribute('aria-label', `Read ${book.title}`)
  box.addEventListener('change', () => update(book.id, { read: box.checked }))
  return box
}

function words(book) {
  const text = document.createElement('span')
  text.className = 'text'
  const pages = book.pages === null ? '' : ` (${count(book.pages, 'page')})`
  text.textContent = `${book.title} by ${book.author}${pages}`
  return text
}

function field(book) {
  const input = document.createElement('input')
  input.className = 'text'
  input.value = book.title
  input.setAttribute('aria-label', 'New title')
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') rename(null)
    if (event.key !== 'Enter') return
    const title = input.value.trim()
    if (!title) return complain('Title is needed')
    complain('')
    renamed = null
    update(book.id, { title })
  })
  return input
}

function rename(id) {
  renamed = id
  complain('')
  render()
  find('#books input.text')?.select()
}

function row(book) {
  const item = document.createElement('li')
  item.classList.toggle('read', book.read)
  item.append(
    tick(book),
    book.id === renamed ? field(book) : words(book),
    button(`Rename ${book.title}`, () => rename(book.id)),
    button(`Remove ${book.title}`, () => change(books.filter((other) => other.id !== book.id))),
  )
  return item
}

function render() {
  const list = shown()
  find('#books').replaceChildren(...list.map(row))
  find('#none').textContent = books.length && !list.length ? 'No book matches' : ''
  const read = books.filter((book) => book.read).length
  const pages = books.reduce((sum, book) => sum + (book.pages ?? 0), 0)
  find('#summary').textContent =
    `${count(books.length, 'book')}, ${read} read, ${count(pages, 'page')}`
  find('#undo').disabled = past.length === 0
}

function undo() {
  if (past.length === 0) return
  books = past.pop()
  renamed = null
  keep()
}

find('#add').addEventListener('submit', add)
find('#undo').addEventListener('click', undo)
find('#search').addEventListener('input', render)
find('#sort').addEventListener('change', render)
for (const radio of document.querySelectorAll('input[name=show]')) {
  radio.addEventListener('change', render)
}
render()
