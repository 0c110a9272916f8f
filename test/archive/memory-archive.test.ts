import { createMemoryArchive } from "../../src/archive/archives.ts";
import { createMemoryFiles } from "../../src/archive/in-memory-files.ts";
import { archiveContract } from "./archive-contract.ts";
import { fileArchiveContract } from "./file-archive-contract.ts";

archiveContract("memory", async () => createMemoryArchive());
fileArchiveContract("memory", async () => createMemoryFiles(Date.now));
