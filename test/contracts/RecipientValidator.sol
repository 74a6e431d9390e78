// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {ITransferValidator} from "../../infra/contracts/ICreatorToken.sol";

/// @dev A transfer validator that allows transfers to one account only.
contract RecipientValidator is ITransferValidator {
    /// @notice Refuses a transfer, with what the validator was asked and who owned the ticket.
    error TransferNotValid(address caller, address from, address to, uint256 tokenId, address owner);

    address private immutable _recipient;

    constructor(address recipient) {
        _recipient = recipient;
    }

    function validateTransfer(address caller, address from, address to, uint256 tokenId) external view {
        if (to == _recipient) return;
        revert TransferNotValid(caller, from, to, tokenId, IERC721(msg.sender).ownerOf(tokenId));
    }

    /// @notice Transfers a ticket that this contract is approved for.
    function transfer(IERC721 tickets, address from, address to, uint256 tokenId) external {
        tickets.transferFrom(from, to, tokenId);
    }
}
