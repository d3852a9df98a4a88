// Shows openapi.json as a page: no library, no network but this server.
"use strict";

const make = (tag, text, ...inside) => {
  const node = document.createElement(tag);
  if (text) node.textContent = text;
  node.append(...inside);
  return node;
};

const typeName = (schema) => {
  if (!schema) return "";
  if (schema.$ref) return schema.$ref.split("/").pop();
  if (schema.type === "array") return `[${typeName(schema.items)}]`;
  if (schema.oneOf || schema.anyOf) return (schema.oneOf || schema.anyOf).map(typeName).join(" | ");
  return [schema.type].flat().filter(Boolean).join(" | ") || "anything";
};

const bodyType = (content) => Object.entries(content || {}).map(([mime, one]) => `${typeName(one.schema)} (${mime})`).join(", ");

const row = (...cells) => make("tr", "", ...cells.map((cell) => make("td", cell)));

const operation = (path, method, about) => {
  const article = make("article", "");
  article.append(make("h3", "", make("b", method.toUpperCase()), path));
  article.append(make("p", [about.summary, about.description].filter(Boolean).join(" ")));
  const table = make("table", "");
  for (const one of about.parameters || []) table.append(row(`${one.in} ${one.name}`, typeName(one.schema), one.description || ""));
  if (about.requestBody) table.append(row("body", bodyType(about.requestBody.content), ""));
  for (const [status, one] of Object.entries(about.responses || {})) table.append(row(status, bodyType(one.content), one.description || ""));
  article.append(table);
  return article;
};

const type = (name, schema) => {
  const article = make("article", "", make("h3", name), make("p", schema.description || ""));
  const table = make("table", "");
  const needed = schema.required || [];
  for (const [field, one] of Object.entries(schema.properties || {})) {
    table.append(row(needed.includes(field) ? field : `[${field}]`, typeName(one), one.description || ""));
  }
  article.append(table);
  return article;
};

fetch("openapi.json").then((answer) => answer.json()).then((api) => {
  document.getElementById("about").textContent = api.info.description;
  const paths = document.getElementById("paths");
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, about] of Object.entries(methods)) paths.append(operation(path, method, about));
  }
  const types = document.getElementById("types");
  for (const [name, schema] of Object.entries(api.components.schemas)) types.append(type(name, schema));
});
