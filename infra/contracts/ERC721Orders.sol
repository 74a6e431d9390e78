// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {BitMaps} from "@openzeppelin/contracts/utils/structs/BitMaps.sol";
import {IBoxofficeTickets} from "./IBoxofficeTickets.sol";

/// @title ERC-721 tokens that are minted by the order, each order at most once
/// @notice A token's id is its order's key with the last 16 bits replaced by the token's index in the order.
/// The owner is written once per order, at its first id, and looked up from there until a token moves. That
/// record is never erased: it is what makes a second mint of the order impossible.
abstract contract ERC721Orders is IBoxofficeTickets, ERC721 {
    using BitMaps for BitMaps.BitMap;

    /// @inheritdoc IBoxofficeTickets
    /// @dev The ids have room for 65,536. What sets the limit is that an order of this size, at some 2,000 gas a
    /// ticket, must fit well within one transaction (16.7 million gas by EIP-7825).
    uint256 public constant override MAX_ORDER_QUANTITY = 5_000;

    uint256 private constant INDEX_MASK = 0xffff;

    /// @dev One storage slot. A quantity of zero means that the order was not minted. `someBurned` spares lookups
    /// in orders without burned tokens, which are most, from reading `_burned`.
    struct Head {
        address buyer;
        uint88 quantity;
        bool someBurned;
    }

    mapping(uint256 firstId => Head) private _heads;

    /// @dev Set for burned tokens; without it, a burned token would fall back to its order's buyer.
    BitMaps.BitMap private _burned;

    /// @inheritdoc IBoxofficeTickets
    function mintedQuantity(bytes32 orderKey) external view returns (uint256) {
        return _heads[firstTokenId(orderKey)].quantity;
    }

    /// @inheritdoc IBoxofficeTickets
    function firstTokenId(bytes32 orderKey) public pure returns (uint256) {
        return uint256(orderKey) & ~INDEX_MASK;
    }

    /// @dev Mints all tokens of an order, or does nothing when that was done before. Does not call the receiver.
    function _mintOrder(bytes32 orderKey, address to, uint256 quantity) internal {
        if (to == address(0)) revert ERC721InvalidReceiver(address(0));
        if (quantity == 0 || quantity > MAX_ORDER_QUANTITY) revert InvalidQuantity(quantity);

        uint256 firstId = firstTokenId(orderKey);
        Head storage head = _heads[firstId];
        if (head.quantity != 0) return;

        head.buyer = to;
        head.quantity = uint88(quantity);
        _increaseBalance(to, uint128(quantity));
        for (uint256 index = 0; index < quantity; ++index) {
            emit Transfer(address(0), to, firstId + index);
        }
    }

    /// @inheritdoc ERC721
    function _ownerOf(uint256 tokenId) internal view virtual override returns (address) {
        address owner = super._ownerOf(tokenId);
        if (owner != address(0)) return owner;

        Head storage head = _heads[tokenId & ~INDEX_MASK];
        bool exists = tokenId & INDEX_MASK < head.quantity && !(head.someBurned && _burned.get(tokenId));
        return exists ? head.buyer : address(0);
    }

    /// @inheritdoc ERC721
    function _update(address to, uint256 tokenId, address auth) internal virtual override returns (address) {
        address from = super._update(to, tokenId, auth);
        if (to == address(0)) {
            _heads[tokenId & ~INDEX_MASK].someBurned = true;
            _burned.set(tokenId);
        }
        return from;
    }
}
