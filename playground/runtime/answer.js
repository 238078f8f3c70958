// Return the answer to a question of Python, both as JSON: the result of one of `hosts`, functions by name, or its error.
export function answer(hosts, question) {
  const { name, argument } = JSON.parse(question);
  try {
    return JSON.stringify({ value: hosts[name](argument) ?? null });
  } catch (error) {
    return JSON.stringify({ error: error.message });
  }
}
